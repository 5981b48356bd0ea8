// Begins: theme, token, first state, and the view that the address asks for.
import { keepKeys, prefer, preference, send } from "./api.js";
import { h, render } from "./render.js";

/** @typedef {import("./messages").FirstState} FirstState */

const view = /** @type {HTMLElement} */ (document.getElementById("view"));

/** @returns {FirstState} */
function readFirst() {
  return JSON.parse(document.getElementById("first")?.textContent ?? "{}");
}

function setTheme() {
  const theme = preference("theme", "");
  if (theme) document.documentElement.dataset.theme = theme;
  document.getElementById("theme")?.addEventListener("click", () => {
    const isDark = document.documentElement.dataset.theme
      ? document.documentElement.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    const next = isDark ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    prefer("theme", next);
  });
}

/** Take what a link brings in its fragment: a token, or the key of a seat. */
async function readFragment() {
  const given = new URLSearchParams(location.hash.slice(1));
  const token = given.get("token");
  const game = location.pathname.match(/^\/games\/([^/]+)$/)?.[1];
  const key = given.get("key");
  const seat = given.get("seat");
  if (game && key && seat) keepKeys(game, { [seat]: key });
  if (token || key) history.replaceState(null, "", location.pathname);
  if (token) {
    await send("/api/session", { token });
    location.reload();
    return false;
  }
  return true;
}

async function begin() {
  setTheme();
  const first = readFirst();
  if (!(await readFragment())) return;
  if (first.needs_token) {
    explain("This server needs its token", "Open the whole address that the server has printed.");
  } else if (location.pathname === "/") {
    const { showHome } = await import("./home.js");
    await showHome(view, first);
  } else if (first.state && first.geometry) {
    const { showGame } = await import("./play.js");
    showGame(view, first.state, first.geometry);
  } else {
    explain("There is no such game", "It may belong to another folder of games.");
  }
}

/** @param {string} title @param {string} text */
function explain(title, text) {
  render(view, [
    h(
      "section",
      { class: "card narrow" },
      h("h1", null, title),
      h("p", null, text),
      h("p", null, h("a", { href: "/" }, "To the first page")),
    ),
  ]);
}

begin().catch((error) => explain("The server does not answer", String(error.message)));
