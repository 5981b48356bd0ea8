// Written by `python -m crossboard.web.types` from web/messages.py.

export interface Reply {
}

export interface Request {
}

export interface Cell {
  name: string;
  points: Array<[number, number]>;
  middle: [number, number];
  is_dark: boolean;
}

export interface SeatLook {
  seat: string;
  title: string;
  side: string;
  shape: "disc" | "square";
  fill: string;
  ink: string;
  rim: string;
  turn: number;
  edge: Array<[number, number]>;
}

export interface Geometry {
  game: string;
  players: number;
  cells: Array<Cell>;
  ground: Array<Array<[number, number]>>;
  seats: Array<SeatLook>;
  narrow_turn: number;
  has_names: boolean;
}

export interface Piece {
  cell: string;
  seat: string;
  mark: string;
  title: string;
  is_in_check: boolean;
}

export interface LegalMove {
  text: string;
  path: Array<string>;
  captures: Array<string>;
  choice: string | null;
}

export interface PlayedMove {
  ply: number;
  seat: string;
  text: string;
  path: Array<string>;
}

export interface SeatState {
  seat: string;
  holder: "person" | "computer" | "deputy";
  name: string;
  manner: string;
  is_connected: boolean;
  seconds_left: number | null;
}

export interface Thought {
  seat: string;
  value: string;
  bar: number;
  depth: number;
  line: string;
  seconds: number;
}

export interface LessonState {
  player: string;
  origin: string;
  boards: number;
  mean_error: number;
}

export interface GameState {
  id: string;
  number: number;
  game: string;
  title: string;
  players: number;
  ply: number;
  position: string;
  turn: string | null;
  turn_title: string;
  is_over: boolean;
  verdict: string;
  winner: string | null;
  note: string;
  pieces: Array<Piece>;
  legal_moves: Array<LegalMove>;
  must_pass: boolean;
  seats: Array<SeatState>;
  played: Array<PlayedMove>;
  boxes: Record<string, string>;
  thought: Thought | null;
  is_thinking: boolean;
  can_undo: boolean;
  can_learn: boolean;
  lesson: LessonState | null;
  time: string | null;
}

export interface GameEvent {
  topic: string;
  number: number;
  kind: "start" | "move" | "back" | "resign" | "draw" | "late" | "seat" | "lesson" | "undone" | "presence";
  seat: string | null;
  text: string;
  state: GameState | null;
}

export interface GameSummary {
  id: string;
  game: string;
  title: string;
  players: number;
  plies: number;
  opponents: Array<string>;
  verdict: string;
  changed: number;
}

export interface GamesReply {
  games: Array<GameSummary>;
}

export interface PlayerInfo {
  id: string;
  name: string;
  game: string;
  players: number | null;
  about: string;
  is_shipped: boolean;
  is_usual: boolean;
  levels: number;
}

export interface PlayersReply {
  players: Array<PlayerInfo>;
}

export interface BallotInfo {
  number: number;
  name: string;
  moves: string;
  position: string;
}

export interface OpeningsReply {
  ballots: Array<BallotInfo>;
}

export interface Created {
  state: GameState;
  keys: Record<string, string>;
}

export interface DrawReply {
  is_accepted: boolean;
  sentence: string;
  state: GameState;
}

export interface Hint {
  move: LegalMove;
  thought: Thought;
}

export interface ErrorReply {
  error: string;
  state: GameState | null;
}

export interface Health {
  status: "ok";
  version: string;
}

export interface SetupReply {
  game: string;
  players: number;
  start: string | null;
  people: Array<string>;
  player: string;
  seconds: number | null;
  depth: number | null;
  time: string | null;
  is_asked: boolean;
  command: string;
}

export interface FirstState {
  setup: SetupReply | null;
  games: Array<GameSummary>;
  players: Array<PlayerInfo>;
  state: GameState | null;
  geometry: Geometry | null;
  needs_token: boolean;
}

export interface ComputerSeat {
  player: string;
  seconds?: number | null;
  depth?: number | null;
}

export interface NewGame {
  game: string;
  players?: number | null;
  start?: string | null;
  computers?: Record<string, ComputerSeat>;
  time?: string | null;
}

export interface MoveCommand {
  expected_ply: number;
  text?: string;
  cells?: Array<string>;
}

export interface PlyCommand {
  expected_ply: number;
}

export interface TokenRequest {
  token: string;
}

export interface SubscribeRequest {
  topic: string;
  after: number;
  keys?: Array<string>;
}
