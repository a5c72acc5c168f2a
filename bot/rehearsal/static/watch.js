// Watching a play: single steps, or one after another until a pause or the end.
import { find, make, toast } from "./dom.js";
import { ask, play, view } from "./world.js";

const BETWEEN = 1800;
let running = false;
let busy = false;
let timer = 0;

/** Prepares the panel. `act` has begin(name), left() and moved(). */
export function prepare(act) {
  find("choose").addEventListener("toggle", list, { once: true });
  find("choose").querySelector("form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const name = find("plays").value;
    if (!name) return;
    find("choose").setAttribute("aria-busy", "true");
    const problem = await ask("POST", "play", { name });
    find("choose").removeAttribute("aria-busy");
    if (problem) toast(problem);
    else act.begin(name);
  });
  find("next").addEventListener("click", () => { pause(); void next(act); });
  find("run").addEventListener("click", () => (running ? pause() : start(act)));
  find("leave").addEventListener("click", () => { pause(); void ask("DELETE", "play"); act.left(); });
}

let listed = false;
async function list() {
  if (listed) return;
  listed = true;
  const answer = await fetch("bourse/plays").catch(() => null);
  const found = answer?.ok ? await answer.json() : [];
  find("choose").hidden = !found.length;
  find("wanted").addEventListener("input", () => listMatching(found));
  listMatching(found);
}

/** Lists the plays that have every word of the search in their names or titles, by folder. */
function listMatching(all) {
  const words = find("wanted").value.toLowerCase().split(/\s+/);
  const plays = all.filter(({ name, title }) => words.every((word) => `${name} ${title}`.toLowerCase().includes(word)));
  const groups = new Map();
  for (const { name, title } of plays) {
    const folder = name.includes("/") ? name.slice(0, name.lastIndexOf("/")) : "to begin with";
    if (!groups.has(folder)) groups.set(folder, []);
    groups.get(folder).push(make("option", { value: name, title }, title));
  }
  find("plays").replaceChildren(...[...groups].map(([folder, options]) => make("optgroup", { label: folder }, ...options)));
  if (plays.length) find("plays").value = plays[0].name;
  find("found").textContent = plays.length === all.length ? `${all.length} plays`
    : plays.length ? `${plays.length} of ${all.length} plays` : "No play has these words.";
}

function start(act) {
  running = true;
  drawControls();
  void next(act);
}

export function pause() {
  running = false;
  clearTimeout(timer);
  drawControls();
}

async function next(act) {
  if (busy || !play() || play().over) {
    if (play()?.over) pause();
    return;
  }
  busy = true;
  const problem = await ask("POST", "play/next", undefined, (came) => { view.world = { ...view.world, play: came }; });
  busy = false;
  if (problem) {
    pause();
    toast(problem);
    return;
  }
  act.moved();
  if (running) timer = setTimeout(() => void next(act), BETWEEN);
}

function drawControls() {
  find("run").textContent = running ? "Pause" : "Play";
  for (const id of ["next", "run"]) {
    const over = Boolean(play()?.over);
    find(id).setAttribute("aria-disabled", String(over));
  }
}

const mark = (line) => ({ true: "✓", false: "✗" })[String(line.ok)] ?? "·";
const said = (line) => ({ true: "as expected", false: "not as expected" })[String(line.ok)] ?? "not reached yet";

/** Draws the steps with their expectations and outcomes. */
export function draw() {
  const watched = play();
  document.body.classList.toggle("watching", Boolean(watched));
  find("watch").hidden = !watched;
  if (!watched) {
    if (running) pause();
    return;
  }
  find("watch").querySelector("h2").textContent = watched.name;
  const { at, steps, over } = watched;
  const failed = steps.slice(0, at).some((step) => step.ok === false || step.expected.some((each) => each.ok === false));
  find("step").textContent = over ? `${at} of ${steps.length} steps: ${failed ? "something else happened" : "all as expected"}`
    : `Step ${at} of ${steps.length}${at ? `: ${failed ? "something else happened" : "as expected"}` : ""}`;
  find("steps").replaceChildren(...steps.map((step, index) => drawn(step, index, at)));
  find("steps").querySelector(".now")?.scrollIntoView({ block: "nearest" });
  if (over && running) pause();
  drawControls();
}

function drawn(step, index, at) {
  const reached = index < at;
  const item = make("li", { class: index === at - 1 ? "step now" : reached ? "step" : "step ahead", "aria-current": index === at - 1 ? "step" : null },
    make("code", {}, step.text), outcome(step, reached));
  const expected = step.expected.map((each) => make("li", { class: reached ? `ok-${each.ok}` : null },
    make("span", { title: said(each) }, mark(each)), " ", make("code", {}, each.text), outcome(each, reached)));
  if (expected.length) item.append(make("ul", { "aria-label": "Expected" }, ...expected));
  if (reached && (step.records.length || Object.keys(step.saw).length)) item.append(happened(step, index === at - 1));
  return item;
}

const outcome = (line, reached) => (reached && line.why ? make("pre", { class: "why" }, line.why) : null);

/** A step's outcome: the recorded entries, the reply to the person who acted, and what each person saw. */
function happened(step, open) {
  const saw = Object.entries(step.saw).filter(([, texts]) => texts.length);
  const told = ([who, texts]) => make("div", {}, make("b", {}, who), ...texts.map((text) => make("pre", {}, text)));
  const answer = saw.filter(([who]) => who.startsWith("reply to "));
  const others = saw.filter(([who]) => !who.startsWith("reply to "));
  return make("div", { class: "happened" },
    make("p", {}, `The ledger gains ${step.records.length ? step.records.join(", ") : "nothing"}.`),
    answer.length ? make("details", { open }, make("summary", {}, "The answer"), ...answer.map(told)) : null,
    others.length ? make("details", {}, make("summary", {}, "What each person sees of it"), ...others.map(told)) : null);
}
