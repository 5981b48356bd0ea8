// Talks to the server: commands that are sent until they are answered, and the socket of events.

/** @typedef {import("./messages").GameState} GameState */
/** @typedef {import("./messages").GameEvent} GameEvent */

const RETRY_MS = [200, 400, 800, 1500, 3000, 5000, 5000, 5000, 5000];
const RECONNECT_MS = [100, 300, 700, 1500, 3000];

/** A refusal of the server: its sentence, its status, and the state if the page has an old one. */
export class Refused extends Error {
  /** @param {number} status @param {{error?: string, state?: GameState | null}} reply */
  constructor(status, reply) {
    super(reply.error ?? `the server answered ${status}`);
    this.status = status;
    this.state = reply.state ?? null;
  }
}

/** Draw a key that no other command has. */
export function drawKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Send a command; while no answer comes it is sent again with the same key, so it is obeyed once.
 * @param {string} path
 * @param {object} body
 * @param {string[]} keys of seats
 * @param {string} command
 * @returns {Promise<any>}
 */
export async function send(path, body, keys = [], command = drawKey()) {
  const headers = {
    "content-type": "application/json",
    "idempotency-key": command,
    ...(keys.length ? { "x-seat-keys": keys.join(",") } : {}),
  };
  for (let attempt = 0; ; attempt += 1) {
    try {
      const reply = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
      return await read(reply);
    } catch (error) {
      if (error instanceof Refused || attempt >= RETRY_MS.length) throw error;
      await pause(RETRY_MS[attempt]);
    }
  }
}

/** @param {string} path @returns {Promise<any>} */
export async function get(path) {
  return read(await fetch(path));
}

/** @param {Response} reply */
async function read(reply) {
  if (reply.status === 204) return null;
  const told = await reply.json();
  if (!reply.ok) throw new Refused(reply.status, told);
  return told;
}

/**
 * Follow the events of a game; after a cut, ask for what came since the last number.
 * @param {string} game
 * @param {{keys: string[], after: number, onEvent: (event: GameEvent) => void,
 *          onLink: (isLinked: boolean) => void}} options
 * @returns {() => void} ends it
 */
export function follow(game, { keys, after, onEvent, onLink }) {
  const topic = `games/${game}`;
  let last = after;
  let attempt = 0;
  let isOver = false;
  /** @type {WebSocket | null} */
  let socket = null;

  function open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    socket = new WebSocket(`${scheme}://${location.host}/api/socket`);
    socket.onopen = () => {
      attempt = 0;
      onLink(true);
      socket?.send(JSON.stringify({ topic, after: last, keys }));
    };
    socket.onmessage = (message) => {
      const event = JSON.parse(message.data);
      if (event.topic !== topic) return;
      last = Math.max(last, event.number);
      onEvent(event);
    };
    socket.onclose = () => {
      if (isOver) return;
      onLink(false);
      setTimeout(open, RECONNECT_MS[Math.min(attempt, RECONNECT_MS.length - 1)]);
      attempt += 1;
    };
  }

  open();
  addEventListener("pagehide", () => socket?.close());
  addEventListener("pageshow", (event) => {
    if (event.persisted && !isOver) open();
  });
  return () => {
    isOver = true;
    socket?.close();
  };
}

// ---- keys of seats, kept by this browser

/** @param {string} game @returns {Record<string, string>} the key of each seat */
export function keysOf(game) {
  try {
    return JSON.parse(localStorage.getItem(`keys ${game}`) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {string} game @param {Record<string, string>} keys */
export function keepKeys(game, keys) {
  localStorage.setItem(`keys ${game}`, JSON.stringify({ ...keysOf(game), ...keys }));
}

/** @param {string} game @returns {Record<string, string>} the keys that were given away */
export function sharedKeys(game) {
  try {
    return JSON.parse(localStorage.getItem(`shared ${game}`) ?? "{}");
  } catch {
    return {};
  }
}

/**
 * Give a seat away: its key stays here for the link only.
 * @param {string} game
 * @param {string} seat
 */
export function shareKey(game, seat) {
  const { [seat]: key, ...others } = keysOf(game);
  localStorage.setItem(`keys ${game}`, JSON.stringify(others));
  localStorage.setItem(`shared ${game}`, JSON.stringify({ ...sharedKeys(game), [seat]: key }));
}

/**
 * Return what this browser prefers.
 * @param {string} name
 * @param {string} usual
 */
export function preference(name, usual) {
  return localStorage.getItem(`prefers ${name}`) ?? usual;
}

/** @param {string} name @param {string} value */
export function prefer(name, value) {
  localStorage.setItem(`prefers ${name}`, value);
}
