// The start page: which game, who you are and where on the left, SimCord's page of that place on the right.
import { find, hush, remember, remembered, say, toast } from "./dom.js";
import { enterShown, forget, frameOf, hint, isShown, show } from "./frames.js";
import { draw as drawRail } from "./rail.js";
import { pointOut, press, typeCommand } from "./typing.js";
import { draw as drawPlay, pause, prepare } from "./watch.js";
import { ask, gameOf, narrow, people, placeOf, places, play, resolve, seen, token, view } from "./world.js";

const PLAY = "play.";
const done = new Set(remembered("done", []));
const act = { game: chooseGame, go, attempt, begin, left, moved };

function draw() {
  drawRail(act, done);
  drawPlay();
}

// --------------------------------------------------------------------- going

/** Shows a place, and its game if that is another. */
function go(key) {
  const wanted = resolve(key);
  if (wanted?.game && wanted.game !== view.game) setGame(wanted.game);
  const place = placeOf(wanted?.key) ?? places().find((each) => each.kind === "table") ?? places()[0];
  if (!place) {
    view.here = null;
    draw();
    return;
  }
  if (view.here !== place.key || !isShown(place.key)) {
    view.here = place.key;
    hush();
    history.replaceState(null, "", `#${place.key}`);
    show(place.key, shortcut);
  }
  draw();
}

function setGame(id) {
  view.game = id;
  remember("game", id);
}

async function chooseGame(id) {
  if (play()) left();
  if (!gameOf(id).laid) {
    say(`The table of ${gameOf(id).name} is being set up.`);
    const problem = await ask("POST", `games/${encodeURIComponent(id)}`);
    if (problem) {
      toast(problem);
      return;
    }
    await heard(() => gameOf(id).laid);
    hush();
  }
  const who = placeOf(view.here)?.person ?? people()[0].name;
  setGame(id);
  go(`${who}.${id}`);
}

async function attempt(example, id) {
  if (narrow.matches) find("tries").open = false;
  go(example.place);
  const frame = frameOf(placeOf(example.place).key);
  if (example.buttons) {
    if (!await press(frame, example.buttons[0])) {
      toast(`Press ${example.buttons[0]} yourself: it is on the board.`);
      return;
    }
    guide(frame, example.buttons.slice(1), example.then);
  } else if (await typeCommand(frame, example.command, example.options)) {
    hint(narrow.matches ? "Tap the arrow to send it." : "Press Enter to send it.");
  } else {
    toast(`Type it yourself: ${example.shown}`);
    return;
  }
  done.add(id);
  remember("done", [...done]);
  draw();
}

/** Says which buttons to press one after the other, and `then` what comes after all of them. */
async function guide(frame, labels, then) {
  const end = await pointOut(frame, labels, (label) => say(`Now press ${label.replace(/(?<!…)$/, ".")}`));
  if (end === "pressed") toast(then, 30_000);
  if (end === "given up") hush();
}

// --------------------------------------------------------------------- a play

async function begin(name) {
  forget(PLAY);
  await heard(() => view.world.play?.name === name && view.world.play.at === 0);
  watch(true);
  view.here = null;
  draw();
  find("next").focus();
}

function left() {
  watch(false);
  forget(PLAY);
  go(`${people()[0].name}.${view.game}`);
}

/** After a step: shows the place that the server chose for its outcome. */
function moved() {
  if (play()?.shown) go(play().shown);
  else draw();
}

function watch(on) {
  view.watching = on;
  remember("watching", on);
}

// ------------------------------------------------------------------ shortcuts

function shortcut(event) {
  if (!event.altKey || event.ctrlKey || event.metaKey || !view.world) return;
  const keys = places().map((place) => place.key);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
  if (step && keys.length) go(keys[(keys.indexOf(view.here) + step + keys.length) % keys.length]);
  else if (digit && people()[digit - 1]) {
    const own = places().filter((place) => place.person === people()[digit - 1].name);
    go((own.find((place) => place.kind === placeOf(view.here)?.kind) ?? own[0]).key);
  } else return;
  event.preventDefault();
}

window.addEventListener("keydown", shortcut);
window.addEventListener("hashchange", () => { if (view.world) go(location.hash.slice(1)); });
document.addEventListener("visibilitychange", () => { if (view.world && !document.hidden) draw(); });
document.addEventListener("bourse:watching", () => toast("You are watching a play; it presses and types by itself."));
narrow.addEventListener("change", () => { if (view.world) draw(); });
find("skip").addEventListener("click", (event) => {
  event.preventDefault();
  enterShown();
});

function drawTheme() {
  const light = window.bourseTheme.now() === "light";
  find("theme").textContent = light ? "Dark" : "Light";
  find("theme").title = light ? "Change to the dark theme" : "Change to the light theme";
}
find("theme").addEventListener("click", () => window.bourseTheme.choose(window.bourseTheme.now() === "light" ? "dark" : "light"));
document.addEventListener("themechange", drawTheme);
drawTheme();

// --------------------------------------------------------------------- news

/** Checks that wait for a state of the server. */
const waiting = new Set();

/** Resolves when `so` holds for the server's state. */
const heard = (so) => new Promise((resolved) => {
  const check = () => {
    if (!so()) return;
    waiting.delete(check);
    resolved();
  };
  waiting.add(check);
  check();
});

function hear(news) {
  if (view.world && view.world.run !== news.run) {
    location.reload();
    return;
  }
  const first = !view.world;
  const another = view.watching && news.play && news.play.at < (view.world?.play?.at ?? 0);
  view.world = news;
  if (another) {
    // Another tab has begun a new play; this tab still shows the previous one.
    forget(PLAY);
    view.here = null;
  }
  if (view.watching && !news.play) {
    pause();
    watch(false);
    forget(PLAY);
    view.here = null;
  }
  if (first) {
    const same = remembered("run", null) === news.run;
    const known = same ? remembered("seen", []) : news.places.flatMap((place) => place.messages);
    known.forEach((message) => seen.add(message));
    remember("run", news.run);
    if (!gameOf(view.game)?.laid) setGame(news.game);
    go(location.hash.slice(1) || "alice.table");
  } else if (!placeOf(view.here)) go(play()?.shown || `${people()[0]?.name}.table`);
  else draw();
  for (const check of [...waiting]) check();
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
prepare(act);
listen();
