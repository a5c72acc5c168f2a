// The state that the server last sent, and the part that this tab shows.
import { remember, remembered } from "./dom.js";

/** The token in the page's address. Every request for a place carries it. */
export const token = location.pathname.split("/")[1];
export const narrow = window.matchMedia("(max-width: 760px)");

export const view = {
  /** The state that the server last sent. */
  world: null,
  /** The key of the place shown. */
  here: null,
  /** The id of the game shown. */
  game: remembered("game", null),
  /** Whether this tab watches the server's play. */
  watching: remembered("watching", false),
};

/** Messages, with their looks, that were on screen in any place: a message seen as Alice is not unread as Bob. */
export const seen = new Set();

export const play = () => (view.watching ? view.world.play : null);
export const games = () => view.world.games;
export const gameOf = (id) => games().find((game) => game.id === id);
export const people = () => play()?.people ?? gameOf(view.game).people;

/** The places shown: those of one game with everybody's DMs, or those of the play. */
export function places() {
  return play()?.places ?? view.world.places.filter((place) => !place.game || place.game === view.game);
}

export const placeOf = (key) => places().find((place) => place.key === key);
export const personOf = (place) => people().find((person) => person.name === place.person)
  ?? { name: place.person, shown: place.person, plays: "" };
export const labelOf = (place) => ({ table: `# ${place.label}`, dm: `DM with ${place.label}`, thread: place.label })[place.kind];
export const unread = (place) => place.messages.filter((message) => !seen.has(message)).length;

/** Finds a place by its key in an address, or by PERSON.table for the table of the game shown. */
export function resolve(key) {
  const known = [...view.world.places, ...(view.world.play?.places ?? [])].find((place) => place.key === key);
  if (known) return known;
  const [person, kind] = key.split(".");
  return kind === "table" ? placeOf(`${person}.${view.game}`) : undefined;
}

/** Marks the messages of the place shown as seen. */
export function look() {
  const place = placeOf(view.here);
  if (place && !document.hidden) for (const message of place.messages) seen.add(message);
  remember("seen", [...seen].slice(-2000));
}

/** Sends a request to the server. Returns its error message, or null; `take` receives the answer. */
export async function ask(method, path, body, take) {
  const answer = await fetch(`/${token}/bourse/${path}`, {
    method, body: body === undefined ? undefined : JSON.stringify(body),
  }).catch(() => null);
  if (!answer?.ok) return (await answer?.text().catch(() => "")) || "Bourse did not answer.";
  if (take) take(await answer.json());
  return null;
}
