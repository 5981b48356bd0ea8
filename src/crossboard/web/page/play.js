// The view of a game: the board, the players, the moves, and what can be done.
import { Refused, follow, keysOf, prefer, preference, send, shareKey, sharedKeys } from "./api.js";
import "./board.js";
import { h, render } from "./render.js";
import { playTone } from "./sound.js";

/** @typedef {import("./messages").GameState} GameState */
/** @typedef {import("./messages").GameEvent} GameEvent */
/** @typedef {import("./messages").Geometry} Geometry */
/** @typedef {import("./messages").SeatState} SeatState */

const TICK_MS = 200;
const NARROW = matchMedia("(max-width: 560px)");
const announcer = document.getElementById("announcer");

/** @param {string} text */
function announce(text) {
  if (announcer) announcer.textContent = text;
}

/**
 * Show a game and follow it.
 * @param {HTMLElement} view
 * @param {GameState} state
 * @param {Geometry} geometry
 */
export function showGame(view, state, geometry) {
  new GameView(view, state, geometry).begin();
}

class GameView {
  /** @param {HTMLElement} view @param {GameState} state @param {Geometry} geometry */
  constructor(view, state, geometry) {
    this.view = view;
    this.state = state;
    this.geometry = geometry;
    this.keys = keysOf(state.id);
    this.message = "";
    this.isFlipped = false;
    this.isSending = false;
    this.commands = 0;
    this.zoom = 1;
    /** @type {import("./messages").Hint | null} */ this.hint = null;
    this.isAsking = "";
    this.showsThought = preference("thoughts", "shown") === "shown";
    this.hasSound = preference("sound", "on") === "on";
    this.isLinked = true;
    this.stateCame = performance.now();
    this.unfollow = () => {};
  }

  begin() {
    this.draw();
    if (this.state.time !== null) setInterval(() => this.draw(), TICK_MS);
    this.board.addEventListener("cb-move", (event) => this.move({ text: /** @type {CustomEvent} */ (event).detail }));
    this.board.addEventListener("cb-try", (event) => this.explain(/** @type {CustomEvent} */ (event).detail));
    NARROW.addEventListener("change", () => this.draw());
    this.follow();
  }

  /** Follow the game with the keys that this browser holds now. */
  follow() {
    this.unfollow();
    this.unfollow = follow(this.state.id, {
      keys: Object.values(this.keys),
      after: this.state.number,
      onEvent: (event) => this.take(event),
      onLink: (isLinked) => {
        this.isLinked = isLinked;
        const place = document.getElementById("link-state");
        if (place) place.textContent = isLinked ? "" : "The server does not answer: trying again …";
      },
    });
  }

  get board() {
    return /** @type {import("./board.js").BoardElement} */ (this.view.querySelector("cb-board"));
  }

  // ---- whose seats

  get ownSeats() {
    return this.state.seats.filter((seat) => seat.seat in this.keys);
  }

  get isOwnTurn() {
    return this.state.turn !== null && this.ownSeats.some((seat) => seat.seat === this.state.turn && seat.holder !== "computer");
  }

  /** The seat at the bottom: ours, that on turn if several are. */
  get viewpoint() {
    const own = this.ownSeats;
    const isTeamGame = this.state.players > 2;
    const onTurn = own.find((seat) => seat.seat === this.state.turn);
    const first = this.state.seats[this.state.players > 2 ? 0 : 1];
    const seat = (isTeamGame && own.length > 1 && onTurn) || own[0] || first;
    if (!this.isFlipped) return seat.seat;
    const place = this.state.seats.indexOf(seat);
    return this.state.seats[(place + 1) % this.state.players].seat;
  }

  /** @param {string | null} seat */
  look(seat) {
    return this.geometry.seats.find((one) => one.seat === seat);
  }

  // ---- what happens

  /** @param {GameEvent} event */
  take(event) {
    if (!event.state || event.state.number < this.state.number) return;
    const before = this.state;
    this.accept(event.state);
    if (before.number !== this.state.number) {
      this.hint = null;
      this.message = "";
      // Its event may come before the reply to the command.
      this.isSending = false;
      this.isAsking = "";
      this.tell(before, event);
    }
    this.draw();
  }

  /** @param {GameState} state */
  accept(state) {
    this.state = state;
    this.stateCame = performance.now();
  }

  /** @param {GameState} before @param {GameEvent} event */
  tell(before, event) {
    const last = this.state.played.at(-1);
    if (this.state.is_over) announce(this.state.verdict);
    else if (event.kind === "move" && last) {
      announce(`${this.look(last.seat)?.title} played ${last.text}. ${this.turnText()}`);
      if (this.hasSound && !(last.seat in this.keys)) playTone(this.isOwnTurn);
    } else if (event.kind === "seat") announce("A seat has another player.");
  }

  turnText() {
    const { state } = this;
    if (state.is_over) return state.verdict;
    if (this.isOwnTurn) return this.ownSeats.length > 1 ? `Your turn: ${state.turn_title}` : "Your turn";
    return state.is_thinking ? `${state.turn_title} is thinking` : `${state.turn_title} to move`;
  }

  /** @param {object} move */
  async move(move) {
    await this.command("moves", move);
  }

  /** Have the server say why a try is no move. */
  /** @param {[string, string]} cells */
  async explain(cells) {
    if (cells[0] === cells[1]) {
      this.say(this.state.note || "This piece cannot move now.");
      return;
    }
    await this.command("moves", { cells });
  }

  /** @param {string} name @param {object} [more] */
  async command(name, more = {}) {
    if (this.isSending) return null;
    this.isSending = true;
    this.isAsking = name;
    const number = (this.commands += 1);
    this.draw();
    try {
      const reply = await send(
        `/api/games/${this.state.id}/${name}`,
        { expected_ply: this.state.ply, ...more },
        Object.values(this.keys),
      );
      const state = reply.state ?? (reply.played ? reply : null);
      if (state && state.number >= this.state.number) this.accept(state);
      return reply;
    } catch (error) {
      if (error instanceof Refused && error.state) this.accept(error.state);
      this.say(error instanceof Error ? capital(error.message) : String(error));
      return null;
    } finally {
      if (number === this.commands) {
        this.isSending = false;
        this.isAsking = "";
      }
      this.draw();
    }
  }

  /** @param {string} text */
  say(text) {
    this.message = text;
    if (text) announce(text);
    this.draw();
  }

  async undo() {
    await this.command("undo");
  }

  async resign() {
    if (confirm("Give this game up?")) await this.command("resignation");
  }

  async offerDraw() {
    const reply = await this.command("draw");
    if (reply) this.say(reply.sentence);
  }

  async askHint() {
    const ply = this.state.ply;
    const reply = await this.command("hint");
    if (reply && this.state.ply === ply) this.hint = reply;
    this.draw();
  }

  // ---- drawing

  draw() {
    const { state } = this;
    document.title = `${this.isOwnTurn ? "● " : ""}${this.turnText()} – Crossboard`;
    const isTable = state.players > 2;
    render(this.view, [
      h(
        "div",
        { class: `game ${isTable ? "table" : "duel"}` },
        h("h1", { class: "unseen" }, `${state.title}, game ${state.id}`),
        h(
          "div",
          { class: "play-area" },
          isTable ? null : this.plate(this.others()[0], "above"),
          h(
            "div",
            { class: "board-frame" },
            h("div", { class: "board-scroll" }, h("cb-board", { class: `zoom-${this.zoom}` })),
          ),
          isTable ? null : this.plate(this.bottom(), "below"),
          h("p", { class: `turn ${this.isOwnTurn ? "own" : ""}`, id: "turn" }, this.turnLine()),
          h("p", { class: "message", role: "status", id: "message" }, this.message || this.note || "\u00a0"),
        ),
        h("aside", { class: "side", "aria-label": "The game" }, ...this.side(isTable)),
      ),
    ]);
    this.board.show(this.geometry, state, {
      seat: this.viewpoint,
      isActive: this.isOwnTurn && !this.isSending && !state.is_over,
      extraTurn: NARROW.matches ? this.geometry.narrow_turn : 0,
      hint: this.hint?.move.path ?? [],
    });
  }

  /** What restricts the choice of the seat on turn, where that matters here. */
  get note() {
    return this.isOwnTurn || this.state.players > 2 ? this.state.note : "";
  }

  turnLine() {
    const { state } = this;
    if (state.is_thinking) return [`${this.turnText()} `, h("span", { class: "dots", "aria-hidden": "true" }, "•••")];
    return [this.turnText()];
  }

  bottom() {
    return this.state.seats.find((seat) => seat.seat === this.viewpoint) ?? this.state.seats[0];
  }

  others() {
    const bottom = this.bottom();
    return this.state.seats.filter((seat) => seat !== bottom);
  }

  /** @param {SeatState} seat @param {string} place */
  plate(seat, place) {
    const look = this.look(seat.seat);
    const isOnTurn = this.state.turn === seat.seat;
    const box = this.state.boxes[seat.seat] ?? "";
    return h(
      "div",
      { class: `plate ${place} ${isOnTurn ? "on-turn" : ""}`, key: `plate ${seat.seat}` },
      h(
        "svg",
        { viewBox: "-12 -12 24 24", width: 24, height: 24, "aria-hidden": "true" },
        look?.shape === "square"
          ? h("rect", { x: -9, y: -9, width: 18, height: 18, rx: 3, fill: look?.fill, stroke: look?.rim })
          : h("circle", { r: 10, fill: look?.fill, stroke: look?.rim }),
      ),
      h("strong", null, look?.title ?? seat.seat),
      h("span", { class: "who" }, this.holderText(seat)),
      this.clock(seat),
      box ? h("span", { class: "box", title: "captured pieces that may come back" }, `box ${box}`) : null,
      this.winnerMark(look?.side),
    );
  }

  /** What the clock of a seat shows now. */
  /** @param {SeatState} seat */
  clock(seat) {
    if (seat.seconds_left === null) return null;
    const isRunning = this.state.turn === seat.seat;
    const passed = isRunning ? (performance.now() - this.stateCame) / 1000 : 0;
    const left = Math.max(0, seat.seconds_left - passed);
    return h("span", { class: left < 10 ? "clock low" : "clock", role: "timer" }, clockText(left));
  }

  /** @param {string | undefined} side */
  winnerMark(side) {
    return this.state.winner !== null && this.state.winner === side ? h("span", { class: "won" }, "won") : null;
  }

  /** @param {SeatState} seat */
  holderText(seat) {
    const manner = seat.manner && seat.manner !== "its own limits" ? `, ${seat.manner}` : "";
    if (seat.holder === "computer") return `${seat.name}${manner}`;
    if (seat.holder === "deputy") return `${seat.name}, until its player is back`;
    if (seat.seat in this.keys) return "you";
    return seat.is_connected ? "a player" : "away";
  }

  /** @param {boolean} isTable */
  side(isTable) {
    const { state } = this;
    const isPlayer = this.ownSeats.length > 0;
    const canAct = isPlayer && !state.is_over && !this.isSending;
    return [
      isTable ? h("div", { class: "card seats" }, ...state.seats.map((seat) => this.seatRow(seat))) : null,
      state.is_over ? this.ending() : null,
      this.thoughtPanel(),
      h("div", { class: "card moves" }, h("h2", null, "Moves"), this.moveList()),
      h(
        "form",
        {
          class: "typed",
          onsubmit: this.onTyped,
        },
        h("label", { class: "unseen", for: "typed-move" }, "Type a move"),
        h("input", {
          id: "typed-move",
          placeholder: isTable ? "Type a move, as 1c3-1c4" : "Type a move, as 11-15",
          autocomplete: "off",
          spellcheck: "false",
          maxlength: 100,
          disabled: !this.isOwnTurn,
        }),
        h("button", { type: "submit", disabled: !this.isOwnTurn }, "Play"),
      ),
      h(
        "div",
        { class: "buttons" },
        this.button("Undo", this.onUndo, isPlayer && state.can_undo && !this.isSending),
        this.button(this.isAsking === "hint" ? "Thinking …" : "Hint", this.onHint, canAct && this.isOwnTurn),
        this.button(this.isAsking === "draw" ? "Asking …" : "Offer a draw", this.onDraw, canAct),
        this.button("Resign", this.onResign, canAct),
        this.button("Turn the board", this.onFlip, true),
        isTable && NARROW.matches ? this.button(this.zoom === 1 ? "Zoom in" : "Zoom out", this.onZoom, true) : null,
        this.button(this.hasSound ? "Sound: on" : "Sound: off", this.onSound, true),
        h(
          "a",
          { class: "button", href: `/api/games/${state.id}/record`, download: "" },
          isTable ? "Download record" : "Download PDN",
        ),
      ),
      state.seats.some((seat) => seat.holder === "computer")
        ? h("p", { class: "faint small-text" }, "A computer accepts a draw if its search says that it is at most equal.")
        : null,
    ];
  }

  onTyped = (/** @type {Event} */ event) => {
    event.preventDefault();
    const input = /** @type {HTMLInputElement} */ (document.getElementById("typed-move"));
    const text = input.value.trim();
    if (!text) return;
    this.move({ text }).then(() => {
      if (!this.message) input.value = "";
      input.focus();
    });
  };
  onUndo = () => this.undo();
  onHint = () => this.askHint();
  onDraw = () => this.offerDraw();
  onResign = () => this.resign();
  onFlip = () => {
    this.isFlipped = !this.isFlipped;
    this.draw();
  };
  onZoom = () => {
    this.zoom = this.zoom === 1 ? 2 : 1;
    this.draw();
  };
  onSound = () => {
    this.hasSound = !this.hasSound;
    prefer("sound", this.hasSound ? "on" : "off");
    this.draw();
  };
  onThoughts = () => {
    this.showsThought = !this.showsThought;
    prefer("thoughts", this.showsThought ? "shown" : "hidden");
    this.draw();
  };

  /** @param {string} text @param {() => void} onclick @param {boolean} isEnabled */
  button(text, onclick, isEnabled) {
    return h("button", { type: "button", onclick, disabled: !isEnabled }, text);
  }

  ending() {
    return h(
      "div",
      { class: "card ending" },
      h("h2", null, "The game is over"),
      h("p", null, this.state.verdict),
      this.learning(),
      h("a", { class: "button primary", href: "/" }, "Another game"),
    );
  }

  /** What the computer can learn, or has learnt, from this game. */
  learning() {
    const { lesson, can_learn } = this.state;
    if (!this.ownSeats.length || (!can_learn && !lesson)) return null;
    if (lesson === null) {
      const name = this.state.seats.find((seat) => seat.holder === "computer")?.name;
      return h(
        "p",
        null,
        `${name} can learn from this game. A copy of it learns; ${name} stays as it is. `,
        h("button", { type: "button", class: "small", onclick: this.onLearn, disabled: this.isSending }, "Learn from this game"),
      );
    }
    return h(
      "p",
      null,
      `${lesson.player} has learnt from ${lesson.boards} boards; its predictions were off by ${lesson.mean_error.toFixed(3)} on average. `,
      h("button", { type: "button", class: "small", onclick: this.onUnlearn, disabled: this.isSending }, "Undo the lesson"),
    );
  }

  onLearn = () => this.command("lesson");
  onUnlearn = () => this.command("unlearning");

  /** @param {SeatState} seat */
  seatRow(seat) {
    const shared = sharedKeys(this.state.id)[seat.seat];
    const key = this.keys[seat.seat] ?? shared;
    const canShare = shared || (key && this.ownSeats.length > 1);
    const share = () => this.share(seat.seat, key);
    return h(
      "div",
      { class: "seat-row", key: seat.seat },
      this.plate(seat, "row"),
      canShare ? h("button", { type: "button", class: "small", onclick: share }, shared ? "Copy the link" : "Share the seat") : null,
    );
  }

  /** Give a seat away by its link. */
  /** @param {string} seat @param {string} key */
  async share(seat, key) {
    const link = `${location.origin}/games/${this.state.id}#seat=${seat}&key=${key}`;
    if (seat in this.keys) {
      shareKey(this.state.id, seat);
      this.keys = keysOf(this.state.id);
      this.follow();
    }
    try {
      await navigator.clipboard.writeText(link);
      this.say(`The link for ${this.look(seat)?.title} is copied. The person who opens it plays that seat.`);
    } catch {
      this.say(`Send this link to the person who is to play: ${link}`);
    }
  }

  /** The last search of a computer, or the hint. */
  thoughtPanel() {
    const thought = this.hint?.thought ?? this.state.thought;
    const isShown = this.showsThought;
    const sides = this.geometry.seats;
    const [first, second] = [sides.find((one) => one.side === "B" || one.side === "odd"), sides.find((one) => one.side === "W" || one.side === "even")];
    const share = thought ? (thought.bar + 1) / 2 : 0.5;
    return h(
      "div",
      { class: "card thought" },
      h(
        "div",
        { class: "card-head" },
        h("h2", null, this.hint ? `Hint: ${this.hint.move.text}` : "What the computer sees"),
        h("button", { type: "button", class: "small", onclick: this.onThoughts, "aria-expanded": String(isShown) }, isShown ? "Hide" : "Show"),
      ),
      isShown
        ? h(
            "div",
            { class: "thought-body" },
            h(
              "svg",
              {
                class: "bar",
                viewBox: "0 0 100 4",
                preserveAspectRatio: "none",
                role: "img",
                "aria-label": thought ? `${Math.round(share * 100)} % of the bar for ${first?.title}` : "no search yet",
              },
              h("rect", { x: 0, y: 0, width: 100, height: 4, fill: second?.fill }),
              h("rect", { x: 0, y: 0, width: Math.max(1.5, Math.min(98.5, share * 100)), height: 4, fill: first?.fill }),
              h("line", { x1: 50, x2: 50, y1: 0, y2: 4, class: "half" }),
            ),
            h(
              "p",
              { class: "line" },
              thought
                ? [h("strong", null, `${this.look(thought.seat)?.title} ${thought.value}`), ` at depth ${thought.depth}: ${thought.line}`]
                : this.state.is_over
                  ? "It has not searched."
                  : "Its first search is still to come.",
            ),
          )
        : null,
    );
  }

  moveList() {
    const { played, players } = this.state;
    if (!played.length) return h("p", { class: "faint" }, "None yet.");
    const rounds = [];
    for (let ply = 0; ply < played.length; ply += players) rounds.push(played.slice(ply, ply + players));
    return h(
      "ol",
      { class: "move-list", tabindex: 0, "aria-label": "moves", ".scrollTop": played.length * 100 },
      ...rounds.map((round, number) =>
        h(
          "li",
          { key: String(number) },
          h("span", { class: "number" }, `${number + 1}.`),
          ...round.map((move) =>
            h("span", { class: move.ply === played.length ? "move now" : "move" }, move.text),
          ),
        ),
      ),
    );
  }
}

/** @param {number} seconds */
function clockText(seconds) {
  if (seconds < 10) return `0:0${(Math.floor(seconds * 10) / 10).toFixed(1)}`;
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** @param {string} text */
function capital(text) {
  return text ? text[0].toUpperCase() + text.slice(1) : text;
}

