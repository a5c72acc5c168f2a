// Presses buttons in SimCord's page, and types slash commands there, as a person would. Sending is left to the person.

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Waits until `look` returns something; null after `patience` milliseconds: a busy machine takes its time to answer. */
async function until(look, patience = 30_000) {
  const end = Date.now() + patience;
  for (;;) {
    const found = look();
    if (found) return found;
    if (Date.now() > end) return null;
    await pause(40);
  }
}

async function write(field, text) {
  field.focus();
  for (let end = 1; end <= text.length; end += 1) {
    field.value = text.slice(0, end);
    field.dispatchEvent(new field.ownerDocument.defaultView.InputEvent("input", { bubbles: true }));
    await pause(12);
  }
}

/** The newest button that can be pressed and has a label that begins like this. */
const button = (frame, label) => [...(frame.contentDocument?.querySelectorAll("#channel-timeline .component-button") ?? [])]
  .findLast((each) => !each.disabled && each.ariaDisabled !== "true" && each.textContent.trim().startsWith(label));

/** Presses a button, and tells whether there was one. */
export async function press(frame, label) {
  await until(() => frame.contentDocument?.querySelector('#preview-app[aria-busy="false"]'));
  const found = await until(() => button(frame, label), 8000);
  found?.click();
  return Boolean(found);
}

let pointing = 0;
/**
 * Points out buttons one after the other, each until somebody presses it.
 * @param {HTMLIFrameElement} frame
 * @param {string[]} labels how the labels of the buttons begin
 * @param {(label: string) => void} now gets the label of each
 * @returns {Promise<"pressed" | "given up" | "replaced">} replaced: others are pointed out
 */
export async function pointOut(frame, labels, now) {
  pointing += 1;
  const mine = pointing;
  const marked = () => frame.contentDocument?.querySelectorAll(".component-button[data-next]") ?? [];
  for (const label of labels) {
    const found = await until(() => mine !== pointing || button(frame, label));
    if (mine !== pointing) return "replaced";
    if (!found) return "given up";
    now(found.textContent.trim());
    const pressed = (event) => {
      if (event.target.closest?.(".component-button")?.textContent.trim().startsWith(label)) over = true;
    };
    let over = false;
    frame.contentDocument.addEventListener("click", pressed, true);
    await until(() => {  // SimCord draws a message anew whenever it changes, so mark the button again and again
      const next = button(frame, label);
      for (const each of marked()) if (each !== next) delete each.dataset.next;
      if (next) next.dataset.next = "";
      return over || mine !== pointing;
    }, 300_000);
    frame.contentDocument?.removeEventListener("click", pressed, true);
    for (const each of marked()) delete each.dataset.next;
    if (mine !== pointing) return "replaced";
    if (!over) return "given up";
  }
  return "pressed";
}

/**
 * @param {HTMLIFrameElement} frame
 * @param {string} command as it is written: "offer post"
 * @param {{name: string, value: string, pick?: boolean}[]} options pick: choose the suggestion with that label
 * @returns {Promise<boolean>} whether all of it was typed
 */
export async function typeCommand(frame, command, options) {
  const catalogue = () => frame.contentWindow?.simcordPreview?.commandPicker?.catalog.state;
  if (!await until(() => catalogue() === "available" || catalogue() === "ready")) return false;
  const page = frame.contentDocument;
  page.body.dataset.typing = "";
  try {
    return await typeInto(frame, page, command, options);
  } finally {
    delete page.body.dataset.typing;
  }
}

async function typeInto(frame, page, command, options) {
  const all = (selector) => [...page.querySelectorAll(selector)];
  page.querySelector(".command-context-close")?.click();
  const composer = page.getElementById("channel-composer-input");
  if (!composer) return false;
  await write(composer, `/${command}`);
  const entry = await until(() => all(".command-entry").find(
    (item) => item.querySelector("strong")?.textContent === `/${command}`));
  if (!entry) return false;
  entry.click();
  for (const { name, value, pick } of options) {
    const find = () => page.querySelector(`.command-option-input[data-option="${CSS.escape(name)}"]`);
    if (!find()) {
      (page.querySelector(".command-ghost") ?? page.querySelector(".command-chip"))?.click();
      const offered = await until(() => all(".command-suggestion").find((item) => item.dataset.value === name));
      offered?.click();
    }
    const field = await until(find);
    if (!field) return false;
    await write(field, value);
    if (!pick) {
      // Suggestions appear a little later; close them, so that Enter sends.
      const asked = () => frame.contentWindow.simcordPreview.commandPicker.autocomplete;
      await until(() => asked().option !== name || asked().state !== "loading");
      field.dispatchEvent(new field.ownerDocument.defaultView.KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
      continue;
    }
    const choice = await until(() => all(".command-suggestion").find(
      (item) => item.querySelector(".command-suggestion-label")?.textContent === value));
    if (!choice) return false;
    choice.click();
  }
  (page.querySelector(".command-row") ?? composer).querySelector(".command-chip")?.focus();
  return true;
}
