// The first view: continue a game, begin one, and what the players are.
import { drawKey, get, keepKeys, keysOf, preference, prefer, send } from "./api.js";
import { h, render } from "./render.js";

/** @typedef {import("./messages").FirstState} FirstState */
/** @typedef {import("./messages").PlayerInfo} PlayerInfo */
/** @typedef {import("./messages").BallotInfo} BallotInfo */

const SECONDS = [0.2, 0.5, 1, 3, 10];
const CLOCKS = [
  ["", "none"],
  ["1+1", "1 minute + 1 s a move"],
  ["5+3", "5 minutes + 3 s a move"],
  ["15+5", "15 minutes + 5 s a move"],
];

/** @param {HTMLElement} view @param {FirstState} first */
export async function showHome(view, first) {
  const home = new HomeView(view, first);
  home.draw();
  await home.begin();
}

class HomeView {
  /** @param {HTMLElement} view @param {FirstState} first */
  constructor(view, first) {
    this.view = view;
    this.first = first;
    /** @type {BallotInfo[]} */ this.ballots = [];
    this.error = "";
    this.isStarting = false;
    const setup = first.setup;
    const usual = this.usual("draughts", 2)?.id ?? "random";
    const isDuel = setup?.game === "draughts";
    const asked = this.playerAndLevel(isDuel ? setup.player : usual);
    this.duel = {
      colour: isDuel && setup.people.length === 1 ? setup.people[0] : preference("colour", "B"),
      player: asked.player,
      strength: asked.level ? `level ${asked.level}` : preference("strength", "1"),
      opening: isDuel && setup.start ? "position" : "start",
      position: isDuel ? (setup.start ?? "") : "",
      time: setup?.time ?? "",
    };
    this.table = { players: "4", seats: new Set(["1"]) };
  }

  async begin() {
    const { setup } = this.first;
    if (setup?.is_asked && !sessionStorage.getItem(`begun ${setup.command}`)) {
      sessionStorage.setItem(`begun ${setup.command}`, "yes");
      await this.start(this.asked(setup), setup.command);
    }
  }

  /** @param {import("./messages").SetupReply} setup */
  asked(setup) {
    const seats = setup.game === "draughts" ? ["B", "W"] : Array.from({ length: setup.players }, (_, n) => String(n + 1));
    const computer = { player: setup.player, seconds: setup.seconds, depth: setup.depth };
    const others = seats.filter((seat) => !setup.people.includes(seat));
    return {
      game: setup.game,
      players: setup.players,
      start: setup.start,
      time: setup.time,
      computers: Object.fromEntries(others.map((seat) => [seat, computer])),
    };
  }

  /** @param {string} game @param {number} players */
  usual(game, players) {
    return this.first.players.find((one) => one.game === game && one.is_usual && (one.players ?? players) === players);
  }

  /**
   * Split a name such as champion@3.
   * @param {string} name
   */
  playerAndLevel(name) {
    if (this.first.players.some((one) => one.id === name)) return { player: name, level: "" };
    const [, player = name, level = ""] = name.match(/^(.+)@(\d)$/) ?? [];
    return { player, level };
  }

  /** @param {object} game @param {string} command */
  async start(game, command = drawKey()) {
    if (this.isStarting) return;
    this.isStarting = true;
    this.error = "";
    this.draw();
    try {
      const created = await send("/api/games", game, [], command);
      keepKeys(created.state.id, created.keys);
      location.assign(`/games/${created.state.id}`);
    } catch (error) {
      this.error = error instanceof Error ? error.message : String(error);
      this.isStarting = false;
      this.draw();
    }
  }

  startDuel = (/** @type {Event} */ event) => {
    event.preventDefault();
    const { colour, opening, position } = this.duel;
    const seats = colour === "both" ? "" : colour === "B" ? "W" : "B";
    const ballot = this.ballots.find((one) => `ballot ${one.number}` === opening);
    const drawn = this.ballots[Math.floor(Math.random() * this.ballots.length)];
    const chosen = opening === "lot" ? drawn : ballot;
    const start = opening === "position" ? position.trim() : (chosen?.position ?? null);
    prefer("colour", colour);
    prefer("strength", this.duel.strength);
    const computers = seats ? { [seats]: this.opponent() } : {};
    this.start({ game: "draughts", start, computers, time: this.duel.time || null });
  };

  opponent() {
    const { player, strength } = this.duel;
    if (player === "random") return { player };
    if (strength.startsWith("level ")) return { player: `${player}@${strength.slice(6)}` };
    if (strength.startsWith("depth ")) return { player, depth: Number(strength.slice(6)) };
    return { player, seconds: Number(strength) || 1 };
  }

  startTable = (/** @type {Event} */ event) => {
    event.preventDefault();
    const players = Number(this.table.players);
    const usual = this.usual("duchess", players)?.id ?? "random";
    const seats = Array.from({ length: players }, (_, n) => String(n + 1));
    const computers = Object.fromEntries(
      seats.filter((seat) => !this.table.seats.has(seat)).map((seat) => [seat, { player: usual }]),
    );
    this.start({ game: "duchess", players, computers });
  };

  showOpenings = async () => {
    if (this.ballots.length) return;
    this.ballots = (await get("/api/openings")).ballots;
    this.draw();
  };

  draw() {
    render(this.view, [
      h(
        "div",
        { class: "home" },
        h(
          "section",
          { class: "intro" },
          h("h1", null, "Play against players that taught themselves"),
          h("p", null, "They learnt by playing: good play was never shown to them."),
          this.error ? h("p", { class: "message", role: "alert" }, this.error) : null,
        ),
        this.continueCard(),
        h("section", { class: "card duel-card", "aria-labelledby": "duel" }, ...this.duelForm()),
        h("section", { class: "card table-card", "aria-labelledby": "table" }, ...this.tableForm()),
        this.gamesCard(),
        this.playersCard(),
      ),
    ]);
  }

  /** The last game that this browser plays in and that goes on. */
  continueCard() {
    const game = this.first.games.find((one) => !one.verdict && Object.keys(keysOf(one.id)).length);
    if (!game) return null;
    return h(
      "section",
      { class: "card continue" },
      h("p", null, h("strong", null, "Go on: "), describe(game)),
      h("a", { class: "button primary", href: `/games/${game.id}` }, "Continue"),
    );
  }

  duelForm() {
    const { duel } = this;
    const players = this.first.players.filter((one) => one.game === "draughts");
    const info = players.find((one) => one.id === duel.player);
    const levels = info?.levels
      ? Array.from({ length: info.levels }, (_, n) => [`level ${n + 1}`, `level ${n + 1}${n === 0 ? ", the easiest" : ""}`])
      : [];
    const strengths = [
      ...levels,
      ...[1, 3, 5].map((depth) => [`depth ${depth}`, depth === 1 ? "looks 1 ply ahead" : `looks ${depth} plies ahead`]),
      ...SECONDS.map((seconds) => [String(seconds), `${seconds} s a move`]),
    ];
    // Not every player has levels.
    if (strengths.every(([name]) => name !== duel.strength)) duel.strength = "1";
    return [
      h("h2", { id: "duel" }, "Draughts"),
      h(
        "form",
        { class: "fields", onsubmit: this.startDuel },
        this.select("Opponent", players.map((one) => [one.id, one.is_usual ? `${one.name} (the strongest)` : one.name]), duel.player, (value) => {
          duel.player = value;
        }),
        this.select("Strength", strengths, duel.strength, (value) => {
          duel.strength = value;
        }),
        this.select(
          "You play",
          [
            ["B", "Black, who begins"],
            ["W", "White"],
            ["both", "both sides"],
          ],
          duel.colour,
          (value) => {
            duel.colour = value;
          },
        ),
        this.select(
          "Opening",
          [
            ["start", "the start"],
            ["lot", "a ballot, drawn by lot"],
            ["position", "a position (FEN)"],
            ...this.ballots.map((one) => [`ballot ${one.number}`, `${one.number}: ${one.moves} ${one.name}`]),
          ],
          duel.opening,
          (value) => {
            duel.opening = value;
          },
          this.showOpenings,
        ),
        duel.opening === "position"
          ? h(
              "label",
              null,
              "Position",
              h("input", {
                value: duel.position,
                placeholder: "B:W21-32:B1-12",
                maxlength: 2000,
                oninput: this.onPosition,
              }),
            )
          : null,
        this.select("Clock", CLOCKS, duel.time, (value) => {
          duel.time = value;
        }),
        h("button", { type: "submit", class: "primary", disabled: this.isStarting }, this.isStarting ? "Starting …" : "Play draughts"),
      ),
    ];
  }

  onPosition = (/** @type {Event} */ event) => {
    this.duel.position = /** @type {HTMLInputElement} */ (event.target).value;
  };

  tableForm() {
    const { table } = this;
    const seats = Array.from({ length: Number(table.players) }, (_, n) => String(n + 1));
    const toggle = (/** @type {string} */ seat) => {
      if (!table.seats.delete(seat)) table.seats.add(seat);
      this.draw();
    };
    return [
      h("h2", { id: "table" }, "Duchess"),
      h("p", { class: "faint" }, "Two teams around a rose-shaped board. Automatic players take the other seats."),
      h(
        "form",
        { class: "fields", onsubmit: this.startTable },
        this.select(
          "Players",
          [
            ["4", "four"],
            ["6", "six"],
          ],
          table.players,
          (value) => {
            table.players = value;
            table.seats = new Set([...table.seats].filter((seat) => Number(seat) <= Number(value)));
          },
        ),
        h(
          "fieldset",
          { class: "seat-choice" },
          h("legend", null, "Seats for you and your friends"),
          ...seats.map((seat) =>
            h(
              "label",
              { class: "check", key: seat },
              h("input", { type: "checkbox", ".checked": table.seats.has(seat), onchange: () => toggle(seat) }),
              `${seat} (${Number(seat) % 2 ? "odd" : "even"})`,
            ),
          ),
        ),
        h("button", { type: "submit", class: "primary", disabled: this.isStarting }, "Make a table"),
      ),
    ];
  }

  /**
   * @param {string} label
   * @param {string[][]} options
   * @param {string} value
   * @param {(value: string) => void} take
   * @param {(() => void) | null} onfocus
   */
  select(label, options, value, take, onfocus = null) {
    const onchange = (/** @type {Event} */ event) => {
      take(/** @type {HTMLSelectElement} */ (event.target).value);
      this.draw();
    };
    return h(
      "label",
      null,
      label,
      h(
        "select",
        { onchange, onfocus },
        ...options.map(([name, text]) => h("option", { value: name, ".selected": name === value, key: name }, text)),
      ),
    );
  }

  gamesCard() {
    const { games } = this.first;
    if (!games.length) return null;
    return h(
      "section",
      { class: "card games" },
      h("h2", null, "The last games"),
      h(
        "ul",
        null,
        ...games.slice(0, 8).map((game) =>
          h("li", { key: game.id }, h("a", { href: `/games/${game.id}` }, describe(game)), h("span", { class: "faint" }, game.verdict || "goes on")),
        ),
      ),
    );
  }

  playersCard() {
    const { players } = this.first;
    return h(
      "section",
      { class: "card players" },
      h("h2", null, "The players"),
      h("p", { class: "faint" }, "How each of them learnt, and the command that trains it again."),
      h(
        "dl",
        null,
        ...players
          .filter((one) => one.id !== "random")
          .flatMap((one) => [
            h("dt", null, one.name, h("span", { class: "faint" }, one.game === "duchess" ? ` Duchess${one.players ? ` for ${one.players}` : ""}` : " draughts")),
            h("dd", null, one.about || "no description"),
          ]),
      ),
    );
  }
}

/** @param {import("./messages").GameSummary} game */
function describe(game) {
  const against = game.opponents.length ? ` against ${game.opponents.join(", ")}` : "";
  return `${game.title}${game.players > 2 ? ` for ${game.players}` : ""}${against}, ${game.plies} ${game.plies === 1 ? "move" : "moves"}`;
}

