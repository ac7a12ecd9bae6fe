import type { Problem } from "@andon/contract";

/** The most bytes of an error answer, whatever the size of the request. */
const MOST_BYTES = 16 * 1024;

/** The limits for texts and lists, tried in this order until the whole answer fits. */
const CUTS: readonly Cut[] = [
  { text: 2_000, list: 50 },
  { text: 500, list: 20 },
];
const SHORTEST: Cut = { text: 100, list: 20 };

interface Cut {
  readonly text: number;
  readonly list: number;
}

/** A problem as JSON. A problem that quotes too much of its request is cut; code, status and trace id stay. */
export function fittedProblem(problem: Problem): string {
  const whole = JSON.stringify(problem);
  if (Buffer.byteLength(whole) <= MOST_BYTES) return whole;
  for (const cut of CUTS) {
    const shorter = JSON.stringify(shortened(problem, cut));
    if (Buffer.byteLength(shorter) <= MOST_BYTES) return shorter;
  }
  return JSON.stringify(shortened({ ...problem, details: {} }, SHORTEST));
}

function shortened(value: unknown, cut: Cut): unknown {
  if (typeof value === "string") return shortText(value, cut.text);
  if (Array.isArray(value)) return value.slice(0, cut.list).map((item) => shortened(item, cut));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).slice(0, cut.list);
  return Object.fromEntries(entries.map(([key, item]) => [shortText(key, cut.text), shortened(item, cut)]));
}

function shortText(text: string, most: number): string {
  return (text.length > most ? `${text.slice(0, most)}…` : text).toWellFormed();
}
