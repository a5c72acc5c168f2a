// What SimCord's page of a place lacks: it is there soon, it stays at its end while pictures load, and everybody can
// use it. A plain script: it runs before SimCord's own, which is a module.

// SimCord's page asks for all its fonts, 30 MB, before it says that it is ready, so that its pictures are alike on every
// machine. Here a font comes when a text needs it, as on any page: few conversations hold Chinese.
document.fonts.load = async () => [];
document.fonts.check = () => true;

document.addEventListener("DOMContentLoaded", () => {
  const timeline = document.getElementById("channel-timeline");
  const list = document.getElementById("channel-message-list");
  const watched = "watched" in document.body.dataset;

  // ---------------------------------------------------------- the end of the conversation

  /** Whether the reader is at the end. Only the reader's own scrolling changes it, never a picture that loads. */
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
  /** SimCord's page puts the timeline where it takes it to have been, one frame later; this comes after that. */
  const settle = () => requestAnimationFrame(() => requestAnimationFrame(() => { if (atEnd) toEnd(); }));
  const observer = new ResizeObserver(settle);
  observer.observe(list);
  observer.observe(timeline);
  list.addEventListener("load", settle, true);
  document.addEventListener("bourse:end", () => { atEnd = true; toEnd(); settle(); });

  // ---------------------------------------------------------- names and the keyboard

  // A region that scrolls can be reached, so that the arrow keys scroll it.
  timeline.tabIndex = 0;
  timeline.setAttribute("aria-label", "Messages");
  // Our own page has the headings and the landmarks; here there is one conversation.
  document.getElementById("preview-app").setAttribute("aria-label", "Conversation");
  document.getElementById("modal-root").removeAttribute("aria-label");
  /** What SimCord's page says to screen readers otherwise than the standard has it, or than it is written. */
  const MENDED = [
    // A button says what is written on it.
    [".command-chip[aria-label], button.command-mention[aria-label]", (each) => each.removeAttribute("aria-label")],
    [".command-popup-list:not([aria-label])", (each) => each.setAttribute("aria-label", "Suggestions")],
    ["[role=combobox]:not([aria-expanded])", (each) => each.setAttribute("aria-expanded", "false")],
    ["textarea[aria-expanded]", (each) => each.removeAttribute("aria-expanded")],
    // A field keeps its name while its label is scrolled out of sight: the form is longer than a phone.
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

  // ---------------------------------------------------------- a play that is watched

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
