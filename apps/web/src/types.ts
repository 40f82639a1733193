// What the server answers: the contract between apps/server and this page. Every address below needs
// the token (api.ts adds it); errors are {error: "one clear sentence"} with a status of 400 (bad input),
// 401 (no token), 403 (another host or origin), 404, 409 (there already), 413 (too large), 429 (too many
// jobs) or 500. Numbers are never rounded by the server; format.ts rounds as the command line does.
// Chips unless said otherwise; shares are from 0 to 1.

// GET /api/state
export interface State {
  version: string;
  workspace: string; // the folder, as a path of the machine
  threads: number;
  memory_bytes: number; // of the machine
  example: string; // a small solved spot, as a solution's file: what the first page shows
  jobs: Job[];
}

// GET /api/files: all below the workspace that Cleave can open, newest first, at most 2,000.
// POST /api/files/copy {from, to, overwrite}, /api/files/delete {file}: {files: ...} again.
// GET /api/files/text?file=F: {text}, up to 1 MB.  POST /api/files/text {file, text, overwrite}: spots.
export interface Files {
  files: FileEntry[];
}
export interface FileEntry {
  file: string; // below the workspace, with '/'
  // .toml; a spot's .h5; .csv or .h5 of any game; .history.csv; .efg or .game
  kind: "spot" | "solution" | "strategy" | "history" | "game";
  bytes: number;
  modified: number; // seconds since 1970
}

// GET /api/jobs: {jobs}.  GET /api/job?id=N: Job.  POST /api/job/cancel {id}: Job.
// POST /api/job/remove {id}: {jobs}; not of a job that runs.
// GET /api/job/events?id=N&token=T: server-sent events named "job", each a whole Job; ends with the job.
export interface Job {
  id: number;
  kind: "solve-spot" | "solve-game" | "resolve";
  title: string;
  // One runs at a time. Cancelled: what was reached until then was saved where there is a result.
  state: "queued" | "running" | "done" | "failed" | "cancelled";
  place: number; // in the queue; 0 when it runs
  created: number; // seconds since 1970
  request: any; // as it was sent
  progress: Progress | null;
  result: any | null; // SpotResult, GameResult, ResolveResult
  error: string | null;
}
export interface Progress {
  text: string; // one line for people
  share: number | null; // done of 1, where it is known
  seconds: number;
  left: number | null; // seconds
  iteration: number;
  exploitability: number | null;
  points: Point[]; // so far; empty for "resolve"
}
export type Point = [iteration: number, seconds: number, exploitability: number, value: number];

// ---- hold'em spots

// POST /api/range {text} or {weights}: both ways.
// Cards are numbered rank * 4 + suit: ranks from the deuce (0) to the ace (12), suits c, d, h, s. Hand
// (a, b) with a > b is number a * (a - 1) / 2 + b.
export interface RangeReply {
  text: string; // the shortest notation
  weights: number[]; // [1326]
  hands: number; // sum of weights
}

// POST /api/spot/check {text}: a spot file's text (examples/spots/flop.toml), read and counted.
export interface SpotReply {
  spot: SpotForm;
  text: string; // as it would be kept in a solution
  streets: { name: string; boards: number; dealt: number; nodes: number; decisions: number }[];
  infosets: [number, number];
  histories: number;
  memory: { f32: number; i16: number; f64: number }; // bytes that solving takes
  file_bytes: number; // of the solution, about, in f32
  available_bytes: number;
  warning: string; // one sentence, or ""
}
// The spot as its file says it, with what was left out filled in. `spotText` writes it as a file.
export interface SpotForm {
  board: string; // "Td9d6h"
  pot: number;
  stack: [number, number]; // out of position, in position
  range: { oop: string; ip: string };
  // [flop, turn, river], null before the board's street
  streets: (StreetForm | null)[];
  rake: { percent: number; cap: number };
  tree: {
    add_allin: number; // shares of the pot; 0: off
    force_allin: number;
    merge: number;
    min_bet: number;
    remove: string[];
    symmetry: boolean;
  };
  locks: LockForm[];
}
export interface StreetForm {
  max_raises: number; // 255: no limit
  oop: SizesForm;
  ip: SizesForm;
}
export interface SizesForm {
  bet: string; // "33%,75%,a"
  donk: string | null; // null: as bet
  raise: string[]; // [first raise, later ones]
}
export interface LockForm {
  node: string;
  parts: { hands: string; strategy: Record<string, number> }[]; // hands: "" is all
}

// POST /api/spot/solve
export interface SpotRequest {
  text: string;
  name: string; // the solution becomes NAME.h5; NAME may have folders
  overwrite?: boolean;
  target?: string; // "0.1%" of the pot (default) or chips
  iterations?: number;
  seconds?: number;
  algorithm?: string;
  storage?: "f32" | "i16" | "f64";
}
export interface SpotResult {
  file: string;
  iterations: number;
  seconds: number;
  exploitability: number;
  exploitability_percent: number;
  values: [number, number];
  best_response: [number, number];
  memory_bytes: number;
}

// GET /api/solution?file=F
export interface Solution {
  file: string;
  name: string;
  bytes: number;
  text: string;
  spot: SpotForm;
  algorithm: string;
  storage: string;
  iterations: number;
  exploitability: number;
  exploitability_percent: number;
  value: number; // to OOP
}

// GET /api/solution/node?file=F&node=LINE: as `cleave show F --node LINE --json`, hands in columns.
// LINE: "bet 100/call/Qc/check"; "" is the first decision.
export interface NodeReply {
  node: string;
  kind: "decision" | "deal" | "fold" | "showdown";
  street: string; // "flop"
  board: string[]; // ["Td", "9d", "6h", "Qc"], as dealt
  pot: number;
  behind: [number, number];
  player: number; // who acts (or folded): 0 is OOP, 1 is IP
  actions: ActionForm[]; // of a decision
  frequencies: number[]; // [action]
  combos: number[]; // [action]
  // A deal's cards; those of one entry play the same (suits). Else empty.
  cards: string[][];
  path: PathStep[]; // from the root to here: what the breadcrumbs show
  locked: boolean;
  players: [SideReply, SideReply];
}
export interface ActionForm {
  text: string; // "bet 100": a step of a line
  kind: "fold" | "check" | "call" | "bet" | "raise" | "allin";
  to: number; // chips put in on this street afterwards
  pot_share: number; // what a bet adds over a call, of the pot after the call; 0 of the others
}
export interface PathStep {
  node: string; // the line up to here, before the step
  kind: "decision" | "deal";
  player: number;
  street: string;
  pot: number;
  actions: ActionForm[]; // of a decision
  taken: string; // the step: "bet 100" or "Qc"
}
export interface SideReply {
  name: "OOP" | "IP";
  combos: number;
  equity: number;
  ev: number;
  realisation: number;
  best_response: number;
  // [169], by row and column of the grid, aces first, suited above the diagonal.
  cells: Cell[];
  hands: {
    hand: string[]; // "AhKh"
    cell: number[]; // its number in `cells`
    range: number[];
    reach: number[];
    weight: number[];
    equity: number[];
    ev: number[];
    realisation: number[];
    best_response: number[];
    strategy: number[][]; // [action][hand]; empty for who does not act
  };
}
export interface Cell {
  name: string; // "AKs"
  possible: number; // hands that the board leaves
  reach: number; // sum over its hands; 0: none gets here
  share: number; // reach / possible, of the largest such share in the grid
  equity: number; // means by reach, 0 where reach is
  ev: number;
  realisation: number;
  mix: number[]; // [action]
}

// GET /api/solution/runouts?file=F&node=LINE: of a deal, as `cleave show` prints it.
export interface RunoutsReply {
  player: number; // who acts next
  actions: ActionForm[];
  runouts: {
    cards: string[]; // that play the same
    equity: [number, number];
    ev: [number, number];
    frequencies: number[]; // [action]
  }[];
}

// ---- any game

// GET /api/games
export interface Games {
  games: { name: string; summary: string; params: Param[] }[];
  algorithms: { name: string; summary: string; params: Param[]; exact: boolean }[];
  methods: { name: string; summary: string; safe: boolean; condition: string }[];
}
export interface Param {
  name: string;
  default: string;
  help: string;
}

// GET /api/game?game=SPEC; SPEC: "leduc(ranks=4)", or a game's file below the workspace. Up to a million
// histories.
export interface GameInfo {
  game: string;
  histories: number;
  terminals: number;
  infosets: [number, number];
  public_states: number;
  levels: number;
  perfect_recall: boolean;
  zero_sum: boolean;
  cuts: string[]; // that make sense here: "round:1", "depth:2", ...
}

// GET /api/game/tree?game=S&root=ID&depth=D&cut=C&strategy=F: histories below one, at most 600, breadth
// first; cut and strategy may be left out. Histories are numbers; 0 is the root.
export interface TreeReply {
  nodes: TreeNode[];
  cut: CutInfo | null;
}
export interface TreeNode {
  id: number;
  parent: number; // -1 at the root of the game
  action: string; // that leads here; "" at the root of the game
  player: number; // 0, 1; 2: chance; 3: the end
  infoset: number; // -1 of chance and ends
  label: string; // the information set's
  public_state: number; // -1 at ends
  subgame: number; // of the cut; -1: the trunk, or no cut
  num_children: number;
  probability: number | null; // of the action that leads here, by strategy or chance; null: unknown
  reach: number | null; // of the history, by strategy and chance
  value: number | null; // to player 1, by the strategy; the payoff at ends
}
export interface CutInfo {
  cut: string;
  text: string; // one line on the pieces' sizes
  remark: string; // or ""
  subgames: number;
  pulled: number; // histories that had to leave the trunk
}

// GET /api/game/node?game=S&id=N&cut=C&strategy=F: one history in detail. With infoset=K in place of id: the
// first history of that information set.
export interface GameNode {
  node: TreeNode;
  path: TreeNode[]; // from the root to its parent
  children: TreeNode[]; // at most 200
  payoff: [number, number] | null;
  infoset: {
    label: string;
    player: number;
    actions: string[];
    size: number;
    members: { id: number; path: string }[]; // at most 50
    strategy: number[] | null;
    // Counterfactual, divided by the others' reach: chips to its player when both follow the strategy, per
    // action and together, and of a best response. Null where nothing is known or nobody comes here.
    action_values: number[] | null;
    value: number | null;
    best_response: number | null;
    reach: number | null; // of the player's own
  } | null;
}

// GET /api/game/strategy?game=S&strategy=F&player=P&search=TEXT&from=K: 200 information sets a page.
export interface StrategyReply {
  total: number;
  infosets: { id: number; player: number; label: string; actions: string[]; probabilities: number[] }[];
}
// GET /api/game/evaluate?game=S&strategy=F: as `cleave evaluate`.
export interface Certificate {
  exploitability: number;
  best_response: [number, number];
  value: number;
}

// POST /api/game/solve: a job. NAME.csv and NAME.history.csv are written.
export interface GameRequest {
  game: string;
  name: string;
  overwrite?: boolean;
  algorithm?: string;
  iterations?: number;
  target?: number;
  seconds?: number;
  seed?: number;
}
export interface GameResult extends Certificate {
  strategy: string; // file
  history: string; // file
  iterations: number;
  seconds: number;
  points: Point[];
}

// POST /api/game/resolve: a job; the numbers are those of `cleave resolve` with the same arguments.
export interface ResolveRequest {
  game: string;
  name: string; // strategies become NAME.METHOD.csv
  overwrite?: boolean;
  strategy?: string; // file; or solved by the two below
  blueprint?: string;
  blueprint_iterations?: number;
  cut: string;
  methods: string[];
  iterations?: number; // per subgame and seat; default 1000
  algorithm?: string; // default cfr+
}
export interface ResolveResult {
  game: string;
  cut: CutInfo;
  trunk: string; // file of the strategy that was there before
  before: Certificate;
  methods: (Certificate & {
    method: string;
    safe: boolean;
    condition: string;
    seconds: number;
    strategy: string; // file
    changes: Change[]; // the 50 largest
    changed: number; // information sets that play otherwise, by more than 1e-3
  })[];
}
export interface Change {
  id: number;
  player: number;
  label: string;
  actions: string[];
  before: number[];
  after: number[];
  distance: number; // half the sum of differences
}

// GET /api/history?file=F: a run's convergence.
export interface HistoryReply {
  game: string;
  algorithm: string;
  points: Point[];
}

// ---- play

// POST /api/play {game, strategy?} or {solution}, both with {seat: 0 | 1 | "alternate", seed?}: a table.
// Without a strategy a game's is solved on the spot.
// POST /api/play/act {id, action: its text}, /api/play/next {id}: Table.  GET /api/play?id=N: Table.
export interface Table {
  id: number;
  game: string; // "leduc", or the solution's file
  kind: "game" | "spot";
  opponent: string; // what it plays: one line
  hand: number; // from 1
  seat: number; // 0 acts first (OOP)
  cards: string[]; // yours: ["Kh"], ["As", "Kd"]; of other games what you know, as text
  opponent_cards: string[] | null; // at the end of the hand
  board: string[];
  pot: number | null;
  stacks: [number, number] | null; // [you, opponent], behind; spots only
  put: [number, number] | null; // [you, opponent]: in the pot, where the game knows
  log: { who: "you" | "opponent" | "chance"; text: string }[]; // of this hand
  actions: TableAction[]; // yours now; empty when the hand is over
  finished: boolean; // the hand
  payoff: number | null; // of the hand, to you
  total: number; // over all finished hands
  hands: number; // finished
}
export interface TableAction {
  text: string;
  // By the solved strategy, for a hint: how often, and chips expected from now on relative to now.
  probability: number;
  value: number | null;
}
