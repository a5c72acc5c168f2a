// SimCord's pages, one for each opened place. An opened place keeps its unsent text.
import { find, hush, make, say, toast } from "./dom.js";
import { labelOf, narrow, personOf, placeOf, token, view } from "./world.js";

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
const frames = new Map();
let lastReceipt = null;
/** Whether the message at the foot asks to send the typed text. */
let hinting = false;

export const frameOf = (key) => frames.get(key);
export const shown = () => frames.get(view.here);

export function hint(text) {
  hinting = true;
  say(text);
}

/** Shows a place, and suspends the others. */
export function show(key, onKey) {
  lastReceipt = null;
  for (const [other, frame] of frames) if (other !== key && frame.classList.contains("shown")) rest(frame);
  if (frames.has(key)) wake(frames.get(key));
  else open(key, onKey);
}

export const isShown = (key) => Boolean(frames.get(key)?.classList.contains("shown"));

/** Removes the frames of places whose keys begin with this: their play is over. */
export function forget(prefix) {
  for (const [key, frame] of frames) {
    if (!key.startsWith(prefix)) continue;
    frame.remove();
    frames.delete(key);
  }
}

function open(key, onKey) {
  const place = placeOf(key);
  const frame = make("iframe", {
    class: "shown", title: `${labelOf(place)} as ${personOf(place).shown}`,
    src: `at/${encodeURIComponent(key)}?timezone=${encodeURIComponent(zone)}#${token}.${key}`,
  });
  frame.addEventListener("load", () => {
    frame.contentWindow.addEventListener("keydown", onKey);
    frame.contentWindow.addEventListener("keydown", (event) => typedBeside(event, frame));
    frame.contentDocument.documentElement.dataset.theme = window.bourseTheme.now();
    if (view.here === key) enter(frame);
  });
  frames.set(key, frame);
  find("frames").append(frame);
}

/** Makes a hidden page stop polling, as a page in the browser's back/forward cache does. */
function rest(frame) {
  frame.classList.remove("shown");
  frame.contentWindow?.dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
}

function wake(frame) {
  frame.classList.add("shown");
  poll(frame);
  enter(frame);
}

/** Makes a resting page poll again. One that is still opening starts by itself; told to before, it gives up for good. */
function poll(frame) {
  if (!frame.contentWindow?.simcordPreview?.authorized) return;
  frame.contentWindow.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
}

/** Focuses the message box, except on a phone, where the keyboard would cover half the screen. */
function enter(frame) {
  if (!narrow.matches && !view.watching) composer(frame)?.focus({ preventScroll: true });
}

const composer = (frame) => frame?.contentDocument?.querySelector("#channel-composer-input, .command-option-input, .command-chip");

/** For the skip link: focuses the message box, or the messages of a watched play. */
export function enterShown() {
  const frame = shown();
  frame?.focus();
  (view.watching ? frame?.contentDocument?.getElementById("channel-timeline") : composer(frame))?.focus();
}

const toEnd = (frame) => frame.contentDocument.dispatchEvent(new Event("bourse:end"));

/** SimCord drops a page after ten silent minutes, so wake suspended pages for a moment well before. */
setInterval(() => {
  for (const frame of frames.values()) {
    if (frame.classList.contains("shown")) continue;
    poll(frame);
    setTimeout(() => { if (!frame.classList.contains("shown")) rest(frame); }, 1500);
  }
}, 240_000);

/** Consecutive retries of each place, by key: Bourse may only have been busy. */
const retried = new Map();

/** Reloads a place that SimCord's page has given up. Shows a message only after repeated failures. */
function retry(frame, key) {
  const times = (retried.get(key) ?? 0) + 1;
  retried.set(key, times);
  if (times === 4) toast("This place does not open. Close other tabs that show it, and reload.", 15_000);
  if (times < 4) {
    delete frame.dataset.once;
    frame.contentWindow.location.reload();
  }
}

/** Watches the shown page: the outcome of the last action, and whether it is still connected. */
setInterval(() => {
  const frame = shown();
  const state = frame?.contentWindow?.simcordPreview;
  if (!state || !find("away").hidden) return;
  const failed = state.diagnostics.some((item) => item.code === "bootstrap-failed" && item.state !== "recovered");
  if (state.ready && state.authorized) {
    if (!frame.dataset.once) toEnd(frame);
    frame.dataset.once = "in touch";
    retried.delete(view.here);
  } else if (!state.authorized && (failed || frame.dataset.once)) {
    retry(frame, view.here);
    return;
  }
  if (hinting && !state.commandPicker.draft) {
    hinting = false;
    hush();
  }
  const receipt = state.lastAction;
  if (!receipt || receipt.requestId === lastReceipt) return;
  const first = lastReceipt === null;
  lastReceipt = receipt.requestId;
  if (first) return;
  if (receipt.outcomes?.some((outcome) => outcome.messageId && outcome.kind !== "source_edit")) toEnd(frame);
  if (receipt.rejected) toast("That has changed in the meantime. Look again, then try again.");
  else if (receipt.acknowledgement === "unacknowledged") toast("Bourse did not answer. The terminal may say why.");
  else if (receipt.settlement === "timeout") toast("Bourse is still working. Give it a moment.");
}, 300);

/** Handles keys while nothing has the focus: Enter sends the command, a letter goes to the message box. */
function typedBeside(event, frame) {
  const page = frame.contentDocument;
  if (view.watching || page.activeElement !== page.body || event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
  if (frame.contentWindow.simcordPreview.renderState.modalHandle) return;
  if (frame.contentWindow.simcordPreview.commandPicker.draft) {
    if (event.key === "Enter") page.getElementById("send-message").click();
  } else if (event.key.length === 1) page.getElementById("channel-composer-input")?.focus();
}
