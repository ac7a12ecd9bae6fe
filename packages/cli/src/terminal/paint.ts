const CODES = {
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  cyan: 36,
  dim: 2,
  bold: 1,
} as const;

export type Colour = keyof typeof CODES;
export type Paint = (colour: Colour | undefined, text: string) => string;

export const coloured: Paint = (colour, text) =>
  colour === undefined || text === "" ? text : `\u001b[${CODES[colour]}m${text}\u001b[0m`;
export const uncoloured: Paint = (_, text) => text;

/** Colours of states, severities, deliveries and findings. A word that is not listed has no colour. */
const COLOURS: Readonly<Record<string, Colour>> = {
  open: "green",
  degraded: "yellow",
  stopped: "red",
  ready: "cyan",
  running: "blue",
  done: "green",
  failed: "red",
  completed: "green",
  parked: "yellow",
  "rolling-back": "yellow",
  "roll-back-failed": "red",
  "rolled-back": "dim",
  cancelled: "dim",
  skipped: "dim",
  resolved: "dim",
  aborted: "yellow",
  blocked: "yellow",
  CRITICAL: "red",
  WARNING: "yellow",
  FAILED: "red",
  RETRYING: "yellow",
  DELIVERED: "green",
  ok: "green",
  warn: "yellow",
  bad: "red",
};

export function colourOf(state: string): Colour | undefined {
  return COLOURS[state];
}
