// The rail: which game, who you are and where, and what to try.
import { find, make, shape, unseen } from "./dom.js";
import { gameOf, games, labelOf, look, narrow, people, personOf, placeOf, places, play, seen, unread, view } from "./world.js";

const HUES = ["#e3a72f", "#4e9fe6", "#54b671", "#dc6b62", "#a98be0", "#3fb5b0", "#d881b4", "#9aa35c"];
const ORDER = ["alice", "bob", "carol", "dave"];

/** Gives an element a person's colour. People of a play get the next free colour. */
export function colour(element, name) {
  const known = ORDER.indexOf(name);
  if (known < 0) ORDER.push(name);
  element.style.setProperty("--hue", HUES[(known < 0 ? ORDER.length - 1 : known) % HUES.length]);
  return element;
}

const badge = (count) => (count ? make("span", { class: "badge" }, String(count), unseen(" new")) : null);

/** Draws the rail. `act` has the handlers of its buttons: game, go, attempt. */
export function draw(act, done) {
  look();
  const focused = document.activeElement?.dataset?.key;
  drawGames(act);
  const all = drawPeople(act);
  document.querySelector(`[data-key="${CSS.escape(focused ?? "")}"]`)?.focus({ preventScroll: true });
  drawHead();
  const place = placeOf(view.here);
  const who = place ? `${personOf(place).shown} · ${labelOf(place)}` : "A play";
  document.title = `${all ? `(${all}) ` : ""}${who} · Bourse`;
  drawTries(act, done);
}

function drawGames(act) {
  const many = games().length > 1;
  find("games").hidden = !many;
  find("games").replaceChildren(...games().map((game) => {
    const fresh = game.id === view.game && !play() ? 0
      : view.world.places.filter((place) => place.game === game.id).reduce((sum, place) => sum + unread(place), 0);
    const button = make("button", {
      type: "button", "data-key": `game:${game.id}`, "aria-pressed": String(game.id === view.game && !play()),
    }, make("span", {}, game.name), game.laid ? badge(fresh) : null);
    button.addEventListener("click", () => act.game(game.id));
    return button;
  }));
}

/** Draws the people with their places, and returns the number of unread messages. */
function drawPeople(act) {
  const all = new Set();
  find("people").replaceChildren(...people().map((person) => {
    const own = places().filter((place) => place.person === person.name);
    const news = new Set(own.flatMap((place) => place.messages.filter((message) => !seen.has(message))));
    news.forEach((message) => all.add(message));
    const who = make("button", { type: "button", class: "who", "data-key": `person:${person.name}` },
      make("span", { class: "face", "aria-hidden": "true" }, person.shown[0]),
      make("span", {}, person.shown), person.plays ? make("small", {}, person.plays) : null, badge(news.size));
    who.addEventListener("click", () => { if (own.length) act.go(newest(own)); });
    const box = make("div", { class: "places" }, ...own.map((place) => placeButton(place, person, act)));
    const here = placeOf(view.here)?.person === person.name;
    return colour(make("section", { class: here ? "person here" : "person", "data-person": person.name }, make("h2", {}, who), box), person.name);
  }));
  // a phone's row of places may be longer than the window
  if (narrow.matches) find("people").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  return all.size;
}

function placeButton(place, person, act) {
  const count = unread(place);
  const button = make("button", {
    type: "button", class: count ? "place new" : "place", "data-key": place.key, "data-kind": place.kind,
    "aria-current": place.key === view.here ? "page" : null,
  }, shape(place.kind), make("b", {}, labelOf(place).replace(/^# /, ""), unseen(` as ${person.shown}`)), badge(count),
  place.kind !== "table" && place.excerpt ? make("small", {}, place.excerpt) : null);
  button.addEventListener("click", () => act.go(place.key));
  return button;
}

function drawHead() {
  const place = placeOf(view.here);
  if (!place) {
    find("as").replaceChildren(make("p", {}, "Nobody has done anything yet."));
    return;
  }
  const person = personOf(place);
  colour(find("as"), person.name).replaceChildren(
    make("span", { class: "face", "aria-hidden": "true" }, person.shown[0]),
    make("p", {}, play() ? "Seen by " : "You are ", make("b", {}, person.shown), person.plays ? `, ${person.plays}` : ""),
    make("p", {}, make("b", {}, place.kind === "dm" ? `Direct messages with ${place.label}` : labelOf(place)),
      place.kind === "thread" ? "" : `: ${place.kind === "dm" ? "what only you are told" : "what everybody sees"}`));
}

/** The place to show when a person's name is pressed: unread first, else the present place, else the table. */
function newest(own) {
  return (own.find((place) => place.kind !== "table" && unread(place)) ?? own.find((place) => place.key === view.here)
    ?? own.find((place) => place.kind === "table")).key;
}

function drawTries(act, done) {
  find("tries").hidden = Boolean(play());
  if (play()) return;
  find("tries").querySelector("ol").replaceChildren(...gameOf(view.game).tries.map((example, index) => {
    const id = `${view.game}:${index}`;
    const what = example.buttons ? make("span", {}, ...taps(example.buttons)) : make("code", {}, example.shown);
    const button = make("button", {
      type: "button", title: example.buttons ? "Press it for me" : "Type it for me", "data-key": `try:${id}`,
    }, what, make("small", {}, example.then));
    button.addEventListener("click", () => act.attempt(example, id));
    return colour(make("li", { class: done.has(id) ? "done" : null }, button), example.place.split(".")[0]);
  }));
}

/** Writes buttons to press one after the other: New offer › Bob. */
const taps = ([first, ...rest]) => [make("b", {}, first), ...rest.map((label) => ` › ${label}`)];
