// Improves SimCord's page of a place: it loads faster, stays at its end while pictures load, and is accessible. A plain
// script, so that it runs before SimCord's own, which is a module.

// SimCord's page loads all its fonts, 30 MB, before it is ready, so that its pictures are alike on every machine. Here a
// font loads when a text needs it, as on any page: few conversations hold Chinese.
document.fonts.load = async () => [];
document.fonts.check = () => true;

document.addEventListener("DOMContentLoaded", () => {
  const timeline = document.getElementById("channel-timeline");
  const list = document.getElementById("channel-message-list");
  const watched = "watched" in document.body.dataset;

  // ---------------------------------------------------------- the end of the conversation

  /** Whether the reader is at the end. Only the reader's scrolling changes it, not a loading picture. */
  let atEnd = true;
  let scrolledByHand = -Infinity;
  const distance = () => timeline.scrollHeight - timeline.clientHeight - timeline.scrollTop;
  const toEnd = () => { timeline.scrollTop = timeline.scrollHeight; };
  const byHand = () => { scrolledByHand = performance.now(); };
  for (const kind of ["wheel", "touchmove", "pointerdown", "keydown", "focusin"]) {
    timeline.addEventListener(kind, byHand, { passive: true });
  }
  for (const id of ["history-older", "history-newer"]) document.getElementById(id).addEventListener("click", byHand);
  timeline.addEventListener("scroll", () => {
    if (distance() < 24) atEnd = true;
    else if (performance.now() - scrolledByHand < 1500) atEnd = false;
    else if (atEnd) settle();
  }, { passive: true });
  /** Runs two frames later, after SimCord's page has restored its own scroll position. */
  const settle = () => requestAnimationFrame(() => requestAnimationFrame(() => { if (atEnd) toEnd(); }));
  const observer = new ResizeObserver(settle);
  observer.observe(list);
  observer.observe(timeline);
  list.addEventListener("load", settle, true);
  document.addEventListener("bourse:end", () => { atEnd = true; toEnd(); settle(); });

  // ---------------------------------------------------------- names and the keyboard

  // Make the scrolling region focusable, so that the arrow keys scroll it.
  timeline.tabIndex = 0;
  timeline.setAttribute("aria-label", "Messages");
  // Our own page has the headings and landmarks; this frame has one conversation.
  document.getElementById("preview-app").setAttribute("aria-label", "Conversation");
  document.getElementById("modal-root").removeAttribute("aria-label");
  /** Fixes for ARIA attributes of SimCord's page that break the standard or differ from the visible text. */
  const MENDED = [
    // A button's name is its visible text.
    [".command-chip[aria-label], button.command-mention[aria-label]", (each) => each.removeAttribute("aria-label")],
    [".command-popup-list:not([aria-label])", (each) => each.setAttribute("aria-label", "Suggestions")],
    ["[role=combobox]:not([aria-expanded])", (each) => each.setAttribute("aria-expanded", "false")],
    ["textarea[aria-expanded]", (each) => each.removeAttribute("aria-expanded")],
    // Keep a field's name while its label is scrolled out of sight: the form is longer than a phone.
    [".modal-input[aria-labelledby]:not([aria-label])", (each) => {
      each.setAttribute("aria-label", document.getElementById(each.getAttribute("aria-labelledby"))?.textContent ?? each.name);
    }],
    ["button[aria-valuetext], [role=combobox][aria-valuetext]", (each) => each.removeAttribute("aria-valuetext")],
  ];
  const mend = () => {
    for (const [selector, how] of MENDED) document.querySelectorAll(selector).forEach(how);
  };
  new MutationObserver(mend).observe(document.body, {
    childList: true, subtree: true, attributes: true, attributeFilter: ["aria-expanded", "aria-valuetext", "aria-label", "role"],
  });
  mend();

  // ---------------------------------------------------------- a watched play

  if (watched) {
    const only = (event) => {
      const control = event.target instanceof Element && event.target.closest(".component-button, .select-trigger, .modal-dialog button");
      if (!control || control.matches("a")) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      window.parent.document.dispatchEvent(new CustomEvent("bourse:watching"));
    };
    window.addEventListener("click", only, true);
    window.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") only(event); }, true);
  }
});
