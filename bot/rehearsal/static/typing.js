// Types a slash command into SimCord's page as a person would, and leaves sending it to the person.

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Waits until `look` returns something; null after `patience` milliseconds. */
async function until(look, patience = 4000) {
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

/**
 * @param {HTMLIFrameElement} frame
 * @param {string} command as it is written: "offer post"
 * @param {{name: string, value: string, pick?: boolean}[]} options pick: choose the suggestion with that label
 * @returns {Promise<boolean>} whether all of it was typed
 */
export async function typeCommand(frame, command, options) {
  const catalogue = () => frame.contentWindow?.simcordPreview?.commandPicker?.catalog.state;
  if (!await until(() => catalogue() === "available" || catalogue() === "ready", 8000)) return false;
  const page = frame.contentDocument;
  const all = (selector) => [...page.querySelectorAll(selector)];
  page.querySelector(".command-context-close")?.click();
  const composer = page.getElementById("channel-composer-input");
  if (!composer) return false;
  await write(composer, `/${command}`);
  const entry = await until(() => all(".command-entry").find(
    (item) => item.querySelector("strong")?.textContent === `/${command}`), 8000);
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
      await until(() => asked().option !== name || asked().state !== "loading", 8000);
      field.dispatchEvent(new field.ownerDocument.defaultView.KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
      continue;
    }
    const choice = await until(() => all(".command-suggestion").find(
      (item) => item.querySelector(".command-suggestion-label")?.textContent === value), 8000);
    if (!choice) return false;
    choice.click();
  }
  (page.querySelector(".command-row") ?? composer).querySelector(".command-chip")?.focus();
  return true;
}
