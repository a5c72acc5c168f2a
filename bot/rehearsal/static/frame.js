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
  const openMenu = () => document.querySelector(".preview-select.is-open");
  /** Runs two frames later, after SimCord's page has restored its own scroll position. An open menu stays where it is. */
  const settle = () => requestAnimationFrame(() => requestAnimationFrame(() => { if (atEnd && !openMenu()) toEnd(); }));
  const observer = new ResizeObserver(settle);
  observer.observe(list);
  observer.observe(timeline);
  list.addEventListener("load", settle, true);
  document.addEventListener("bourse:end", () => { atEnd = true; toEnd(); settle(); });

  // ---------------------------------------------------------- menus in which several can be chosen

  const chosen = (menu) => menu.querySelectorAll("[role=option][aria-selected=true]").length;
  const several = (menu) => menu?.querySelector("[role=listbox]")?.ariaMultiSelectable === "true";
  const apply = (menu) => menu.querySelector(".select-apply");

  // SimCord forgets what was picked when somebody taps beside the menu while it can't apply it. Here the menu stays open
  // until it can.
  window.addEventListener("focusout", (event) => {
    const menu = event.target.closest?.(".preview-select.is-open");
    if (!several(menu)) return;
    event.stopImmediatePropagation();
    if (event.relatedTarget && !menu.contains(event.relatedTarget)) apply(menu).click();
  }, true);
  let leaving = 0;
  document.addEventListener("pointerdown", (event) => {
    clearInterval(leaving);
    const key = openMenu()?.dataset.controlKey;
    if (!several(openMenu()) || openMenu().contains(event.target)) return;
    leaving = setInterval(() => {
      const menu = openMenu();
      if (menu?.dataset.controlKey !== key) clearInterval(leaving);
      else if (!apply(menu).disabled && chosen(menu) >= Number(menu.dataset.minimum)) apply(menu).click();
    }, 100);
  }, true);

  /** Says in the bar of an open menu how many are picked, in place of SimCord's own words. */
  function drawBar(bar) {
    const menu = bar.closest(".preview-select");
    const missing = Number(menu.dataset.minimum) - chosen(menu);
    const text = missing > 0 ? `Pick ${missing}${chosen(menu) ? " more" : ""}` : `${chosen(menu)} picked`;
    const label = bar.querySelector("span");
    if (label.textContent !== text) label.textContent = text;
    if (bar.ariaLabel !== "Your choice") bar.ariaLabel = "Your choice";
  }

  // ---------------------------------------------------------- names and the keyboard

  // One heading, as our own page has. Of a message's three small tools, one is in the tab order; arrows reach the others.
  const heading = document.createElement("h1");
  heading.className = "visually-hidden";
  heading.textContent = window.frameElement?.title || "Conversation";
  document.getElementById("preview-app").prepend(heading);
  const tools = (bar) => [...bar.querySelectorAll(".message-action-button")];
  list.addEventListener("keydown", (event) => {
    const bar = event.target.closest(".message-context-actions");
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!bar || !step) return;
    event.preventDefault();
    const all = tools(bar);
    all[(all.indexOf(event.target) + step + all.length) % all.length].focus();
  });

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
    [".select-draft-actions", drawBar],
    [".select-list:not([tabindex])", (each) => { each.tabIndex = 0; }],
    // A message's headings come below the one of the page, whatever their size.
    [".markdown-heading:not([aria-level])", (each) => each.setAttribute("aria-level", "2")],
    [".message-context-actions", (bar) => tools(bar).slice(1).forEach((each) => { each.tabIndex = -1; })],
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
