// Helpers for the document.

export const find = (id) => document.getElementById(id);

/** Makes an element. An attribute that is true is set without a value; false and null are left out. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/** Text only for screen readers. */
export const unseen = (text) => make("span", { class: "unseen" }, text);

/** This tab's storage, which lasts while the tab is open. */
export function remembered(name, otherwise) {
  try {
    return JSON.parse(sessionStorage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function remember(name, value) {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Without storage it is forgotten, which does no harm.
  }
}

let quiet = 0;
/** Shows a message at the foot of the page until it is hushed, or another takes its place. */
export function say(text) {
  clearTimeout(quiet);
  find("toast").textContent = text;
  find("toast").hidden = false;
}

/** Shows a message at the foot of the page for a moment. */
export function toast(text, milliseconds = 10_000) {
  say(text);
  quiet = setTimeout(hush, milliseconds);
}

export function hush() {
  find("toast").hidden = true;
}

const SHAPES = {
  table: "M7.1 14.5 6.700 17M10 3 8.900 9M13.300 3 12.200 9M11.500 14.500 11 17M4 7.500h13M3 12.500h13M8.900 9 7.700 15",
  dm: "M3 5.500h14v9.500H3zM3 6l7 5 7-5",
  thread: "M4 4.500h12v8H9l-3.500 3v-3H4zM7 8.500h6",
};

/** Draws the icon for a place's kind. */
export function shape(kind) {
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
