// The board of every game: draws what the server describes and walks the paths of legal moves.

/** @typedef {import("./messages").Geometry} Geometry */
/** @typedef {import("./messages").GameState} GameState */
/** @typedef {import("./messages").LegalMove} LegalMove */
/** @typedef {import("./messages").Cell} Cell */
/** @typedef {import("./messages").Piece} Piece */
/** @typedef {[number, number]} Point */

const SVG = "http://www.w3.org/2000/svg";
const UNIT = 100; // of the picture: the side of a cell
const DRAG_PIXELS = 6;
const HOP_MS = 220;
// A tap so near the middle of a legal cell, in sides of a cell, is meant for it.
const TAP_REACH = 0.9;
const CROWN = "M-20 13 L-25 -14 L-10 -2 L0 -20 L10 -2 L25 -14 L20 13 Z";
const ARROWS = /** @type {Record<string, Point>} */ ({
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
});

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {Element | null} [parent]
 */
function draw(tag, attributes, parent = null) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  parent?.append(element);
  return element;
}

/**
 * <cb-board>: `show(geometry, state, options)` draws a state. It fires "cb-move" with the text of a
 * legal move, and "cb-try" with two cells between which there is none.
 */
export class BoardElement extends HTMLElement {
  constructor() {
    super();
    /** @type {Geometry | null} */ this.geometry = null;
    /** @type {GameState | null} */ this.state = null;
    this.turnDegrees = 0;
    this.isActive = false;
    /** @type {string[]} */ this.walk = [];
    /** @type {string[]} */ this.hint = [];
    /** @type {string | null} */ this.cursor = null;
    /** @type {Map<string, Cell>} */ this.cells = new Map();
    /** @type {Map<string, Point>} */ this.places = new Map();
    /** @type {Map<string, SVGElement>} */ this.cellElements = new Map();
    /** @type {Map<string, SVGElement>} */ this.pieceElements = new Map();
    this.svg = /** @type {SVGSVGElement} */ (draw("svg", { class: "board" }));
    this.ground = draw("g", { class: "ground" }, this.svg);
    this.cellLayer = draw("g", { class: "cells" }, this.svg);
    this.markLayer = draw("g", { class: "marks", "aria-hidden": "true" }, this.svg);
    this.pieceLayer = draw("g", { class: "pieces", "aria-hidden": "true" }, this.svg);
    this.choices = document.createElement("div");
    this.choices.className = "choices";
    this.choices.setAttribute("role", "dialog");
    this.choices.setAttribute("aria-label", "Choose");
    this.choices.hidden = true;
    /** @type {{cell: string, x: number, y: number, id: number, isMoving: boolean} | null} */
    this.drag = null;
  }

  connectedCallback() {
    if (this.svg.isConnected) return;
    this.append(this.svg, this.choices);
    this.svg.addEventListener("pointerdown", (event) => this.press(event));
    this.svg.addEventListener("pointermove", (event) => this.pull(event));
    this.svg.addEventListener("pointerup", (event) => this.release(event));
    this.svg.addEventListener("pointercancel", () => this.drop());
    this.svg.addEventListener("keydown", (event) => this.type(event));
  }

  /**
   * Draw a state, seen by a seat.
   * @param {Geometry} geometry
   * @param {GameState} state
   * @param {{seat: string, isActive: boolean, extraTurn: number, hint: string[]}} options
   */
  show(geometry, state, { seat, isActive, extraTurn, hint }) {
    const look = geometry.seats.find((one) => one.seat === seat);
    const turnDegrees = (look?.turn ?? 0) + extraTurn;
    const before = this.state;
    if (geometry !== this.geometry || turnDegrees !== this.turnDegrees) {
      this.geometry = geometry;
      this.turnDegrees = turnDegrees;
      this.layOut();
      this.pieceLayer.replaceChildren();
      this.pieceElements.clear();
    }
    const isNew = before === null || before.number !== state.number || before.id !== state.id;
    this.state = state;
    this.isActive = isActive;
    this.hint = hint;
    if (isNew) {
      this.walk = [];
      this.closeChoices();
      this.movePieces(before);
    } else if (this.pieceElements.size === 0) {
      this.movePieces(null);
    }
    this.mark();
  }

  // ---- drawing

  layOut() {
    const { geometry } = this;
    if (!geometry) return;
    this.cells = new Map(geometry.cells.map((cell) => [cell.name, cell]));
    this.places = new Map(geometry.cells.map((cell) => [cell.name, this.place(cell.middle)]));
    this.ground.replaceChildren();
    this.cellLayer.replaceChildren();
    this.cellElements.clear();
    for (const shape of geometry.ground) {
      draw("polygon", { points: this.corners(shape), class: "light" }, this.ground);
    }
    for (const seat of geometry.seats) {
      if (seat.edge.length === 2) this.drawEdge(seat.seat, seat.edge, seat.fill);
    }
    for (const cell of geometry.cells) this.drawCell(cell, geometry.has_names);
    const shapes = [...geometry.cells.map((cell) => cell.points), ...geometry.ground];
    const points = shapes.flat().map((point) => this.place(point));
    const margin = geometry.ground.length ? 4 : 22;
    const xs = points.map((point) => point[0]);
    const ys = points.map((point) => point[1]);
    const [left, top] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
    const width = Math.max(...xs) + margin - left;
    const height = Math.max(...ys) + margin - top;
    this.svg.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
    this.svg.setAttribute("width", String(width));
    this.svg.setAttribute("height", String(height));
  }

  /** @param {string} seat @param {Point[]} edge @param {string} fill */
  drawEdge(seat, edge, fill) {
    const [a, b] = edge.map((point) => this.place(point));
    const middle = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    const length = Math.hypot(middle[0], middle[1]) || 1;
    const [dx, dy] = [(middle[0] / length) * 12, (middle[1] / length) * 12];
    const ends = { x1: a[0] + dx, y1: a[1] + dy, x2: b[0] + dx, y2: b[1] + dy };
    draw("line", { ...ends, stroke: fill, class: "edge", "data-seat": seat }, this.ground);
  }

  /** @param {Cell} cell @param {boolean} hasName */
  drawCell(cell, hasName) {
    const group = draw(
      "g",
      { class: `cell ${cell.is_dark ? "dark" : "light"}`, "data-cell": cell.name, tabindex: -1 },
      this.cellLayer,
    );
    group.setAttribute("role", "button");
    draw("polygon", { points: this.corners(cell.points) }, group);
    if (hasName) {
      const at = cell.points.map((point) => this.place(point));
      // In the corner, so that no piece covers it.
      const x = Math.min(...at.map((point) => point[0])) + 4;
      const y = Math.min(...at.map((point) => point[1])) + 16;
      const label = draw("text", { x, y, class: "name", "aria-hidden": "true" }, group);
      label.textContent = cell.name;
    }
    this.cellElements.set(cell.name, group);
  }

  /** @param {Point} point @returns {Point} */
  place([x, y]) {
    const angle = (this.turnDegrees * Math.PI) / 180;
    const turned = [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];
    return [Math.round(turned[0] * UNIT * 10) / 10, Math.round(turned[1] * UNIT * 10) / 10];
  }

  /** @param {Point[]} shape */
  corners(shape) {
    return shape.map((point) => this.place(point).join(",")).join(" ");
  }

  /** Move the pieces to where they stand, the one that has moved along its way. */
  /** @param {GameState | null} before */
  movePieces(before) {
    const { state } = this;
    if (!state) return;
    const last = state.played.at(-1);
    const isNext = before !== null && before.id === state.id && state.ply === before.ply + 1;
    const path = isNext && last ? last.path : [];
    const moved = path.length ? this.pieceElements.get(path[0]) : undefined;
    if (moved) {
      this.pieceElements.delete(path[0]);
      this.pieceElements.get(path[path.length - 1])?.remove();
      this.pieceElements.set(path[path.length - 1], moved);
    }
    const standing = new Map(state.pieces.map((piece) => [piece.cell, piece]));
    for (const [cell, element] of this.pieceElements) {
      const piece = standing.get(cell);
      if (piece && element.dataset.look === lookOf(piece)) continue;
      if (piece && element === moved) {
        element.replaceChildren();
        this.fillPiece(element, piece);
        continue;
      }
      element.remove();
      this.pieceElements.delete(cell);
    }
    for (const [cell, piece] of standing) {
      if (!this.pieceElements.has(cell)) this.pieceElements.set(cell, this.makePiece(piece));
    }
    for (const [cell, element] of this.pieceElements) {
      const at = this.places.get(cell) ?? [0, 0];
      element.setAttribute("transform", `translate(${at[0]} ${at[1]})`);
    }
    if (moved) this.animateAlong(moved, path);
  }

  /** @param {SVGElement} element @param {string[]} path */
  animateAlong(element, path) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const frames = path.map((cell) => {
      const at = this.places.get(cell) ?? [0, 0];
      return { transform: `translate(${at[0]}px, ${at[1]}px)` };
    });
    element.parentNode?.append(element); // above the others
    element.animate(frames, { duration: HOP_MS * (path.length - 1), easing: "ease-in-out" });
  }

  /** @param {Piece} piece */
  makePiece(piece) {
    const group = /** @type {SVGElement} */ (draw("g", { class: "piece" }, this.pieceLayer));
    this.fillPiece(group, piece);
    return group;
  }

  /** @param {SVGElement} group @param {Piece} piece */
  fillPiece(group, piece) {
    const look = this.geometry?.seats.find((seat) => seat.seat === piece.seat);
    if (!look) return;
    group.dataset.look = lookOf(piece);
    group.setAttribute("class", `piece ${piece.is_in_check ? "in-check" : ""}`);
    const body = { fill: look.fill, stroke: look.rim, "stroke-width": 3, class: "body" };
    const isCrown = piece.mark === "crown" || piece.mark === "";
    if (look.shape === "disc") {
      draw("circle", { r: isCrown ? 39 : 37, ...body }, group);
    } else {
      draw("rect", { x: -33, y: -33, width: 66, height: 66, rx: 12, ...body }, group);
    }
    if (isCrown) {
      draw("circle", { r: 29, fill: "none", stroke: look.ink, "stroke-opacity": 0.35, "stroke-width": 2 }, group);
    }
    if (piece.mark === "crown") draw("path", { d: CROWN, fill: look.ink }, group);
    else if (piece.mark) {
      const letter = draw("text", { y: 17, class: "letter", fill: look.ink }, group);
      letter.textContent = piece.mark;
    }
  }

  // ---- what can be played

  /** @returns {LegalMove[]} */
  get moves() {
    return this.isActive && this.state ? this.state.legal_moves : [];
  }

  /** The moves whose paths begin with what was walked. */
  get candidates() {
    return this.moves.filter((move) => this.walk.every((cell, step) => move.path[step] === cell));
  }

  /** The cells that the walk can go to: the next ones, and ends that only one move has. */
  targets() {
    const { candidates, walk } = this;
    const next = new Set(candidates.map((move) => move.path[walk.length]).filter(Boolean));
    for (const move of candidates) {
      const end = move.path[move.path.length - 1];
      if (candidates.filter((one) => one.path[one.path.length - 1] === end).length === 1) next.add(end);
    }
    next.delete(walk[walk.length - 1]);
    return next;
  }

  /** Choose a cell: begin a walk, continue it, or leave it. */
  /** @param {string} cell */
  choose(cell) {
    if (!this.isActive) return;
    this.closeChoices();
    const starts = this.moves.filter((move) => move.path[0] === cell);
    if (this.walk.length && this.targets().has(cell)) this.step(cell);
    else if (this.walk.length === 1 && this.walk[0] === cell) this.walk = [];
    else if (starts.length) {
      this.walk = [cell];
      // A move that is forced needs no second click.
      if (this.moves.length === 1) this.play(this.moves);
    } else if (this.walk.length) {
      const from = this.walk[this.walk.length - 1];
      this.walk = [];
      this.refuse(from, cell);
    } else if (this.owns(cell)) this.refuse(cell, cell);
    this.mark();
  }

  /** @param {string} cell */
  owns(cell) {
    return this.state?.pieces.some((piece) => piece.cell === cell && piece.seat === this.state?.turn);
  }

  /** @param {string} cell */
  step(cell) {
    const { candidates, walk } = this;
    const next = candidates.filter((move) => move.path[walk.length] === cell);
    const ends = candidates.filter((move) => move.path[move.path.length - 1] === cell);
    const found = next.length ? next : ends;
    this.walk = next.length ? [...walk, cell] : walk;
    const paths = new Set(found.map((move) => move.path.join()));
    if (paths.size === 1) this.play(found);
  }

  /** Play one of the moves of one path. */
  /** @param {LegalMove[]} moves */
  play(moves) {
    if (moves.length > 1) {
      this.openChoices(moves);
      return;
    }
    this.walk = moves[0].path;
    this.isActive = false;
    this.dispatchEvent(new CustomEvent("cb-move", { detail: moves[0].text }));
  }

  /** @param {string} from @param {string} to */
  refuse(from, to) {
    this.dispatchEvent(new CustomEvent("cb-try", { detail: [from, to] }));
  }

  /** @param {LegalMove[]} moves */
  openChoices(moves) {
    const buttons = moves.map((move) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = move.choice ? `Become ${move.choice}` : "Stay as it is";
      let isPressed = false;
      button.addEventListener("pointerdown", () => {
        isPressed = true;
      });
      button.addEventListener("click", (event) => {
        // The tap that has opened the choice ends in a click on what lies under it now.
        const isKey = event.detail === 0;
        if (!isPressed && !isKey) return;
        this.closeChoices();
        this.play([move]);
        this.mark();
      });
      return button;
    });
    this.choices.replaceChildren(...buttons);
    this.choices.hidden = false;
    buttons[0].focus();
  }

  closeChoices() {
    this.choices.hidden = true;
  }

  // ---- marks

  mark() {
    const { state } = this;
    if (!state) return;
    const last = new Set(state.played.at(-1)?.path ?? []);
    const targets = this.walk.length ? this.targets() : new Set();
    const starts = new Set(this.moves.map((move) => move.path[0]));
    const mustTake = this.moves.some((move) => move.captures.length) && this.moves.every((move) => move.captures.length);
    const standing = new Map(state.pieces.map((piece) => [piece.cell, piece]));
    for (const [name, element] of this.cellElements) {
      element.classList.toggle("last", last.has(name));
      element.classList.toggle("walked", this.walk.includes(name));
      element.classList.toggle("target", targets.has(name));
      element.classList.toggle("start", starts.has(name) && !this.walk.length);
      element.classList.toggle("must", mustTake && starts.has(name) && !this.walk.length);
      element.classList.toggle("hint", this.hint.includes(name));
      const words = [name, standing.get(name)?.title ?? "empty"];
      if (targets.has(name)) words.push("can be reached");
      else if (starts.has(name)) words.push("can move");
      element.setAttribute("aria-label", words.join(", "));
      element.setAttribute("aria-pressed", String(this.walk.includes(name)));
    }
    this.markTargets(targets, standing);
    for (const edge of this.ground.querySelectorAll(".edge")) {
      edge.classList.toggle("on-turn", /** @type {SVGElement} */ (edge).dataset.seat === state.turn);
    }
    if (this.cursor === null || !this.cellElements.has(this.cursor)) this.cursor = this.firstCell();
    this.setCursor(this.cursor, false);
    this.classList.toggle("active", this.isActive);
  }

  /** @param {Set<string>} targets @param {Map<string, Piece>} standing */
  markTargets(targets, standing) {
    this.markLayer.replaceChildren();
    for (const name of targets) {
      const [x, y] = this.places.get(name) ?? [0, 0];
      const isTaken = standing.has(name);
      draw("circle", { cx: x, cy: y, r: isTaken ? 45 : 15, class: isTaken ? "aim" : "dot" }, this.markLayer);
    }
  }

  firstCell() {
    return this.moves[0]?.path[0] ?? this.geometry?.cells[0].name ?? null;
  }

  // ---- keyboard

  /** @param {string | null} cell @param {boolean} hasFocus */
  setCursor(cell, hasFocus) {
    if (cell === null) return;
    if (this.cursor !== null) this.cellElements.get(this.cursor)?.setAttribute("tabindex", "-1");
    this.cursor = cell;
    const element = this.cellElements.get(cell);
    element?.setAttribute("tabindex", "0");
    if (hasFocus) element?.focus();
  }

  /** @param {KeyboardEvent} event */
  type(event) {
    const cell = /** @type {Element} */ (event.target).closest?.("[data-cell]");
    const name = cell instanceof SVGElement ? cell.dataset.cell : undefined;
    if (!name) return;
    if (event.key in ARROWS) this.setCursor(this.neighbour(name, ARROWS[event.key]), true);
    else if (event.key === "Enter" || event.key === " ") this.choose(name);
    else if (event.key === "Escape") {
      this.walk = [];
      this.closeChoices();
      this.mark();
    } else return;
    event.preventDefault();
  }

  /** @param {string} name @param {Point} direction */
  neighbour(name, [dx, dy]) {
    const [x, y] = this.places.get(name) ?? [0, 0];
    // To the sides stay in the row; up and down go to the next one, even if that is diagonal.
    const across = dx ? 2 : 0.8;
    let [best, cost] = [name, Infinity];
    for (const [other, [ox, oy]] of this.places) {
      const along = (ox - x) * dx + (oy - y) * dy;
      const aside = Math.abs((ox - x) * dy + (oy - y) * dx);
      if (along <= 1 || aside > 1.7 * along) continue;
      const found = along + across * aside;
      if (found < cost - 0.1) [best, cost] = [other, found];
    }
    return best;
  }

  // ---- pointer

  /** @param {PointerEvent} event @returns {string | undefined} */
  cellAt(event) {
    const [x, y] = this.pointOf(event);
    const element = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-cell]");
    const exact = element instanceof SVGElement ? element.dataset.cell : undefined;
    if (!this.walk.length) return exact;
    const targets = this.targets();
    if (exact && (targets.has(exact) || this.owns(exact))) return exact;
    // A finger is broad: what is near a legal cell is meant for it.
    let [best, cost] = [exact, event.pointerType === "touch" ? TAP_REACH * UNIT : 0];
    for (const name of targets) {
      const at = this.places.get(name) ?? [0, 0];
      const distance = Math.hypot(at[0] - x, at[1] - y);
      if (distance < cost) [best, cost] = [name, distance];
    }
    return best;
  }

  /** @param {PointerEvent} event @returns {Point} */
  pointOf(event) {
    const matrix = this.svg.getScreenCTM()?.inverse();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    return [point.x, point.y];
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (event.button !== 0 || !event.isPrimary) return;
    const cell = this.cellAt(event);
    if (cell === undefined) return;
    this.setCursor(cell, false);
    this.drag = { cell, x: event.clientX, y: event.clientY, id: event.pointerId, isMoving: false };
  }

  /** @param {PointerEvent} event */
  pull(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.id || !this.isActive) return;
    const piece = this.pieceElements.get(drag.cell);
    if (!drag.isMoving) {
      const distance = Math.hypot(event.clientX - drag.x, event.clientY - drag.y);
      if (distance < DRAG_PIXELS || !piece || !this.owns(drag.cell)) return;
      drag.isMoving = true;
      this.svg.setPointerCapture(drag.id);
      if (this.walk.at(-1) !== drag.cell) {
        this.walk = this.moves.some((move) => move.path[0] === drag.cell) ? [drag.cell] : [];
      }
      this.mark();
      this.pieceLayer.append(/** @type {Element} */ (piece));
    }
    const [x, y] = this.pointOf(event);
    piece?.setAttribute("transform", `translate(${x} ${y})`);
  }

  /** @param {PointerEvent} event */
  release(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.id) return;
    const cell = this.cellAt(event);
    this.drop();
    if (cell === undefined) return;
    if (!drag.isMoving) this.choose(cell);
    else if (cell !== drag.cell) {
      if (this.walk.length) this.choose(cell);
      else this.refuse(drag.cell, cell);
    }
  }

  drop() {
    const { drag } = this;
    this.drag = null;
    if (!drag?.isMoving) return;
    const at = this.places.get(drag.cell) ?? [0, 0];
    this.pieceElements.get(drag.cell)?.setAttribute("transform", `translate(${at[0]} ${at[1]})`);
  }
}

/** @param {Piece} piece */
function lookOf(piece) {
  return `${piece.seat} ${piece.mark} ${piece.is_in_check}`;
}

customElements.define("cb-board", BoardElement);
