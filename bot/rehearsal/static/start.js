// The start page: who you are and where on the left, SimCord's page of that place on the right.
import { typeCommand } from "./typing.js";

const find = (id) => document.getElementById(id);
/** The word in the page's address that lets us in; every place is asked for with it. */
const token = location.pathname.split("/")[1];
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
const narrow = window.matchMedia("(max-width: 760px)");

/** What the server last said there is to see. */
let world = null;
/** The key of the place shown. */
let here = null;
/** Frames by place; once opened, a place keeps what was half typed in it. */
const frames = new Map();
/** Messages, as they looked, that were on the screen in some place: one seen as Alice is not news as Bob. */
const seen = new Set();
const done = new Set(remembered("done", []));
let lastReceipt = null;

function remembered(name, otherwise) {
  try {
    return JSON.parse(sessionStorage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

const SHAPES = {
  table: "M7.1 14.5 6.700 17M10 3 8.900 9M13.300 3 12.200 9M11.500 14.500 11 17M4 7.500h13M3 12.500h13M8.900 9 7.700 15",
  dm: "M3 5.500h14v9.500H3zM3 6l7 5 7-5",
  thread: "M4 4.500h12v8H9l-3.500 3v-3H4zM7 8.500h6",
};
function shape(kind) {
  const box = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  box.setAttribute("viewBox", "0 0 20 20");
  box.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(box.namespaceURI, "path");
  for (const [name, value] of Object.entries({
    d: SHAPES[kind], fill: "none", stroke: "currentColor", "stroke-width": "1.7", "stroke-linejoin": "round", "stroke-linecap": "round",
  })) path.setAttribute(name, value);
  box.append(path);
  return box;
}

// ---------------------------------------------------------------- what is new

const unread = (place) => place.messages.filter((message) => !seen.has(message)).length;

function look() {
  const place = placeOf(here);
  if (place && !document.hidden) for (const message of place.messages) seen.add(message);
  sessionStorage.setItem("seen", JSON.stringify([...seen].slice(-2000)));
}

const placeOf = (key) => world?.places.find((place) => place.key === key);
const personOf = (place) => world.people.find((person) => person.name === place.person);
const labelOf = (place) => ({ table: `# ${place.label}`, dm: `DM with ${place.label}`, thread: place.label })[place.kind];

// ------------------------------------------------------------------- drawing

function draw() {
  look();
  const focused = document.activeElement?.dataset?.key;
  const all = new Set();
  find("people").replaceChildren(...world.people.map((person) => {
    const places = world.places.filter((place) => place.person === person.name);
    const news = new Set(places.flatMap((place) => place.messages.filter((message) => !seen.has(message))));
    news.forEach((message) => all.add(message));
    const name = make("h2", { "data-key": `person:${person.name}`, tabindex: narrow.matches ? "0" : null },
      make("span", { class: "face", "aria-hidden": "true" }, person.shown[0]),
      make("span", {}, person.shown),
      make("small", {}, person.plays),
      news.size ? make("span", { class: "badge", title: "new" }, String(news.size)) : null);
    name.addEventListener("click", () => { if (narrow.matches) go(newest(places)); });
    name.addEventListener("keydown", (event) => { if (event.key === "Enter") name.click(); });
    const box = make("div", { class: "places" }, ...places.map((place) => {
      const count = unread(place);
      const button = make("button", {
        type: "button", class: count ? "place new" : "place", "data-key": place.key, "data-kind": place.kind,
        "aria-current": place.key === here ? "page" : null,
        "aria-label": `${labelOf(place)} as ${person.shown}${count ? `, ${count} new` : ""}`,
      }, shape(place.kind), make("b", {}, labelOf(place).replace(/^# /, "")),
      count ? make("span", { class: "badge" }, String(count)) : null,
      place.kind !== "table" && place.excerpt ? make("small", {}, place.excerpt) : null);
      button.addEventListener("click", () => go(place.key));
      return button;
    }));
    return make("section", { class: placeOf(here)?.person === person.name ? "person here" : "person", "data-person": person.name }, name, box);
  }));
  document.querySelector(`[data-key="${CSS.escape(focused ?? "")}"]`)?.focus({ preventScroll: true });

  const place = placeOf(here);
  const person = personOf(place);
  find("as").dataset.person = person.name;
  find("as").replaceChildren(
    make("span", { class: "face", "aria-hidden": "true" }, person.shown[0]),
    make("p", {}, "You are ", make("b", {}, person.shown), `, ${person.plays}`),
    make("p", {}, make("b", {}, place.kind === "dm" ? `Direct messages with ${place.label}` : labelOf(place)),
      place.kind === "thread" ? "" : `: ${place.kind === "dm" ? "what only you are told" : "what everybody sees"}`));
  document.title = `${all.size ? `(${all.size}) ` : ""}${person.shown} · ${labelOf(place)} · Bourse`;
  drawTries();
  const list = find("people");
  if (!narrow.matches && list.scrollHeight > list.clientHeight) find("tries").open = false;
}

/** Where a person goes when a phone's tab is tapped: to what is new, else where they were, else to the table. */
function newest(places) {
  return (places.find((place) => place.kind !== "table" && unread(place)) ?? places.find((place) => place.key === here)
    ?? places.find((place) => place.kind === "table")).key;
}

function drawTries() {
  find("tries").querySelector("ol").replaceChildren(...world.tries.map((example, index) => {
    const button = make("button", { type: "button", title: "Type it for me" },
      make("code", {}, example.shown), make("small", {}, example.then));
    button.addEventListener("click", () => attempt(example, index));
    return make("li", { "data-person": example.place.split(".")[0], class: done.has(index) ? "done" : null }, button);
  }));
}

async function attempt(example, index) {
  if (narrow.matches) find("tries").open = false;
  go(example.place);
  const frame = frames.get(example.place);
  if (await typeCommand(frame, example.command, example.options)) {
    done.add(index);
    sessionStorage.setItem("done", JSON.stringify([...done]));
    drawTries();
    hinting = true;
    toast(narrow.matches ? "Tap the arrow to send it." : "Press Enter to send it.");
  } else toast(`Type it yourself: ${example.shown}`);
}

let quiet = 0;
/** Whether the toast says to send what was typed. */
let hinting = false;
function toast(text) {
  clearTimeout(quiet);
  find("toast").textContent = text;
  find("toast").hidden = false;
  quiet = setTimeout(() => { find("toast").hidden = true; }, 4000);
}

// -------------------------------------------------------------------- frames

function go(key) {
  if (!placeOf(key)) key = world.places[0].key;
  if (here !== key || !frames.get(key)?.classList.contains("shown")) {
    here = key;
    lastReceipt = null;
    history.replaceState(null, "", `#${key}`);
    for (const [other, frame] of frames) if (other !== key && frame.classList.contains("shown")) rest(frame);
    if (frames.has(key)) wake(frames.get(key));
    else open(key);
  }
  draw();
}

function open(key) {
  const place = placeOf(key);
  const frame = make("iframe", {
    class: "shown", title: `${labelOf(place)} as ${personOf(place).shown}`,
    src: `at/${encodeURIComponent(key)}?timezone=${encodeURIComponent(zone)}#${token}.${key}`,
  });
  frame.addEventListener("load", () => {
    frame.contentWindow.addEventListener("keydown", shortcut);
    frame.contentWindow.addEventListener("keydown", (event) => typedBeside(event, frame));
    if (here === key) enter(frame);
  });
  frames.set(key, frame);
  find("frames").append(frame);
  setTimeout(() => {
    if (!frame.dataset.once && here === key && find("away").hidden) toast("This place does not open. Close other tabs that show it, and reload.");
  }, 15_000);
}

/** A hidden page stops asking for news, as a page does that the browser has put by. */
function rest(frame) {
  frame.classList.remove("shown");
  frame.contentWindow?.dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
}

function wake(frame) {
  frame.classList.add("shown");
  frame.contentWindow?.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  enter(frame);
}

function enter(frame) {
  if (!narrow.matches) frame.contentDocument?.getElementById("channel-composer-input")?.focus({ preventScroll: true });
}

/** Scrolls to the newest message; SimCord's page then stays there. */
function toEnd(frame) {
  const timeline = frame.contentDocument.getElementById("channel-timeline");
  for (const wait of [0, 150, 400]) setTimeout(() => { timeline.scrollTop = timeline.scrollHeight; }, wait);
}

/** SimCord gives a page up that was silent for ten minutes; the sleepers are woken for a moment well before. */
setInterval(() => {
  for (const frame of frames.values()) {
    if (frame.classList.contains("shown")) continue;
    frame.contentWindow?.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    setTimeout(() => { if (!frame.classList.contains("shown")) rest(frame); }, 1500);
  }
}, 240_000);

/** Watches the page shown: what came of the last thing done, and whether it is still in touch. */
setInterval(() => {
  const frame = frames.get(here);
  const state = frame?.contentWindow?.simcordPreview;
  if (!state) return;
  if (state.ready && state.authorized) {
    if (!frame.dataset.once) toEnd(frame);
    frame.dataset.once = "in touch";
  } else if (frame.dataset.once && !state.authorized && find("away").hidden) {
    delete frame.dataset.once;
    frame.contentWindow.location.reload();
    return;
  }
  if (hinting && !state.commandPicker.draft) {
    hinting = false;
    find("toast").hidden = true;
  }
  const receipt = state.lastAction;
  if (!receipt || receipt.requestId === lastReceipt) return;
  const first = lastReceipt === null;
  lastReceipt = receipt.requestId;
  if (first) return;
  if (receipt.outcomes?.some((outcome) => outcome.messageId && outcome.kind !== "source_edit")) toEnd(frame);
  if (receipt.rejected) toast("That had changed meanwhile. Have another look, and try again.");
  else if (receipt.acknowledgement === "unacknowledged") toast("Bourse did not answer. The terminal may say why.");
  else if (receipt.settlement === "timeout") toast("Bourse is still at it. Give it a moment.");
}, 300);

// ------------------------------------------------------------------ shortcuts

function shortcut(event) {
  if (!event.altKey || event.ctrlKey || event.metaKey || !world) return;
  const keys = world.places.map((place) => place.key);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
  if (step) go(keys[(keys.indexOf(here) + step + keys.length) % keys.length]);
  else if (digit && world.people[digit - 1]) go(`${world.people[digit - 1].name}.${here.split(".")[1]}`);
  else return;
  event.preventDefault();
}

/** Typing while nothing has the focus goes where it is meant: Enter sends the command, a letter begins to write. */
function typedBeside(event, frame) {
  const page = frame.contentDocument;
  if (page.activeElement !== page.body || event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
  if (frame.contentWindow.simcordPreview.renderState.modalHandle) return;
  if (frame.contentWindow.simcordPreview.commandPicker.draft) {
    if (event.key === "Enter") page.getElementById("send-message").click();
  } else if (event.key.length === 1) page.getElementById("channel-composer-input")?.focus();
}
window.addEventListener("keydown", shortcut);
window.addEventListener("hashchange", () => { if (world) go(location.hash.slice(1)); });
document.addEventListener("visibilitychange", () => { if (world && !document.hidden) draw(); });
narrow.addEventListener("change", () => { if (world) draw(); });

// --------------------------------------------------------------------- news

function hear(news) {
  if (world && world.run !== news.run) {
    location.reload();
    return;
  }
  const first = !world;
  world = news;
  if (first) {
    const known = remembered("run", null) === news.run ? remembered("seen", []) : news.places.flatMap((place) => place.messages);
    known.forEach((message) => seen.add(message));
    sessionStorage.setItem("run", JSON.stringify(news.run));
    go(location.hash.slice(1) || "alice.table");
  } else if (!placeOf(here)) go(world.places[0].key);
  else draw();
}

function listen() {
  const socket = new WebSocket(`ws://${location.host}/${token}/bourse/news`);
  socket.addEventListener("message", (event) => {
    find("away").hidden = true;
    hear(JSON.parse(event.data));
  });
  socket.addEventListener("close", () => {
    find("away").hidden = false;
    setTimeout(listen, 1000);
  });
}

setInterval(() => {
  find("clock").textContent = new Date().toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
}, 1000);
if (narrow.matches) find("tries").open = false;
listen();
