import type { Contender, ContenderKind, Mode, OpenOptions, Place, Store } from "./contender.ts";

/** The result of one round of one contender. Any entry in `problems` excludes the contender from the comparison. */
export interface Outcome {
  figures: Record<string, number>;
  problems: string[];
  settings: Record<string, string | number | boolean>;
}

/** The inputs of a scenario in one round. */
export interface Round {
  readonly kind: ContenderKind;
  readonly variant: string;
  readonly size: Size;
  readonly place: Place;
  /** Opens the contender on this round's store; several openings share the jobs of one queue name. */
  open(options?: Partial<OpenOptions> & { queue?: string }): Promise<Contender>;
}

/** Numbers of jobs and other sizes, by name. Each scenario defines its names. */
export type Size = Readonly<Record<string, number>>;

/** Medians over the rounds, by contender name; each at its best variant. */
export interface Comparison {
  /** The main figure of a contender, or undefined when it was not measured or failed a check. */
  of(contender: string, figure?: string): number | undefined;
}

export interface Target {
  store: Store;
  /** The target in words, as the project documents it. */
  text: string;
  /** Undefined when something it compares with was not measured. */
  reached(ours: (figure?: string) => number | undefined, others: Comparison): boolean | undefined;
}

export interface Column {
  figure: string;
  unit: string;
}

const BETWEEN = " | ";

/** The name of the figure of one part, for example of a route or a number of connections. */
export const figureOf = (part: string, figure: string): string => `${part}${BETWEEN}${figure}`;

/** The parts that have figures, in the order they were measured. */
export function partsOf(figures: Record<string, number>): string[] {
  const named = Object.keys(figures).filter((name) => name.includes(BETWEEN));
  return [...new Set(named.map((name) => name.slice(0, name.lastIndexOf(BETWEEN))))];
}

export interface Scenario {
  name: string;
  title: string;
  /** One or two sentences: what is timed, and what is checked. */
  measures: string;
  mode: Mode;
  full: Size;
  quick: Size;
  rounds: { full: number; quick: number };
  /** A round that takes longer is ended and counts as failed. */
  timeoutSeconds: number;
  main: { figure: string; unit: string; better: "higher" | "lower" };
  /** Further figures that the table shows. */
  also?: Column[];
  /** Figures of parts (`figureOf`), which the report shows in a table of their own: what a part is, and its columns. */
  parts?: { what: string; columns: Column[] };
  targets: Target[];
  /** The reason why a contender is not run, or the figure that replaces its measurement. */
  cited?(kind: ContenderKind): string | undefined;
  /**
   * Imports inside this function what only this scenario needs, so that the process of a round holds no other scenario's
   * code.
   */
  run(round: Round): Promise<Outcome>;
}

/** `a >= b`, or undefined when one of them is missing. */
export function atLeast(a: number | undefined, b: number | undefined): boolean | undefined {
  return a === undefined || b === undefined ? undefined : a >= b;
}

export function atMost(a: number | undefined, b: number | undefined): boolean | undefined {
  return a === undefined || b === undefined ? undefined : a <= b;
}

/** False if one is false, undefined if one is unknown, else true. */
export function all(...parts: (boolean | undefined)[]): boolean | undefined {
  if (parts.includes(false)) return false;
  return parts.includes(undefined) ? undefined : true;
}

export function times(factor: number, value: number | undefined): number | undefined {
  return value === undefined ? undefined : factor * value;
}

export function best(...values: (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}
