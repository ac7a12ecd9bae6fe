import type { Advance, Completion } from "@andon/engine";

/** Characters that need a backslash inside a quoted array element. */
const ESCAPED = /["\\]/;
const EACH_ESCAPED = /["\\]/g;

/**
 * Parameters for completions: arrays, and JSON objects by position, which PostgreSQL unpacks. The texts are composed
 * here: an object with positions as keys is slow to fill, and the driver would quote every number of an array (together
 * an eighth of a worker's own time). Claims of one request have one start and usually one fence, and many handlers
 * return nothing, so equal values are sent once and missing ones not at all.
 */
export function doneValues(done: readonly Completion[]) {
  return {
    positions: numbersText(done, ({ pos }) => pos),
    fence: done[0]?.fence ?? null,
    fences: unlikeFirst(done, ({ fence }) => fence),
    start: done[0]?.startedAt ?? null,
    starts: unlikeFirst(done, ({ startedAt }) => startedAt),
    results: objectText(done, ({ result }) => result),
    progresses: objectText(done, ({ progress }) => progress),
  };
}

/** Parameters of a single completion, beyond those of `doneValues`. */
export function oneValues({ pos, result, progress }: Completion) {
  return { pos, result, progress };
}

/** An array of numbers in PostgreSQL's text format. */
function numbersText(done: readonly Completion[], pick: (one: Completion) => number): string {
  let text = "";
  for (const one of done) text += text === "" ? pick(one) : `,${pick(one)}`;
  return `{${text}}`;
}

/** The values that differ from the first one, by position. Usually none does, and the server looks up nothing. */
function unlikeFirst<T extends number | string>(
  done: readonly Completion[],
  pick: (one: Completion) => T,
): string | null {
  const first = done[0] && pick(done[0]);
  return objectText(done, (one) => (pick(one) === first ? null : pick(one)));
}

/** A JSON object by position, without null values. Null if it would be empty. */
function objectText(
  done: readonly Completion[],
  pick: (one: Completion) => number | string | null | undefined,
): string | null {
  let text = "";
  for (const one of done) {
    const value = pick(one);
    if (value === null || value === undefined) continue;
    if (text !== "") text += ",";
    text += `"${one.pos}":${typeof value === "number" ? value : JSON.stringify(value)}`;
  }
  return text === "" ? null : `{${text}}`;
}

/**
 * The lanes of completions, each once, and the job of each lane as pairs. Usually each job has one lane of its own; the
 * lanes are then also those of the pairs, and `laneKeys` is null.
 */
export function laneValues(done: readonly Completion[]) {
  const lanes = done.flatMap((completion) => completion.lanes);
  const keys = new Set(lanes);
  return {
    keys: textsText(keys),
    lanePositions: pairedPositions(done),
    laneKeys: keys.size === lanes.length ? null : textsText(lanes),
  };
}

function pairedPositions(done: readonly Completion[]): string {
  let text = "";
  for (const { pos, lanes } of done) for (const _ of lanes) text += text === "" ? pos : `,${pos}`;
  return `{${text}}`;
}

/** An array of texts in PostgreSQL's text format. */
function textsText(list: Iterable<string>): string {
  let text = "";
  for (const one of list) {
    if (text !== "") text += ",";
    text += `"${ESCAPED.test(one) ? one.replace(EACH_ESCAPED, "\\$&") : one}"`;
  }
  return `{${text}}`;
}

/** Parameters of stages that end, in the order of the line, which is the order of the claim log. */
export function advanceValues(given: readonly Completion[]) {
  const advancing = inOrder(given);
  const stages = advancing.map(({ advance }) => advance as Advance);
  return {
    advancing: numbersText(advancing, ({ pos }) => pos),
    advanceFence: advancing[0]?.fence ?? null,
    advanceFences: unlikeFirst(advancing, ({ fence }) => fence),
    nextStage: stages[0]?.stage ?? null,
    nextStages: unlikeFirst(advancing, ({ advance }) => advance?.stage as string),
    output: stages[0]?.outputs ?? null,
    outputs: unlikeFirst(advancing, ({ advance }) => advance?.outputs as string),
    advanceProgresses: objectText(advancing, ({ progress }) => progress),
    numbers: numbersText(advancing, ({ advance }) => advance?.number ?? 0),
    stageFences: numbersText(advancing, ({ fence }) => fence),
    stageNames: textsText(stages.map(({ name }) => name)),
    stageAttempts: numbersText(advancing, ({ advance }) => advance?.attempts ?? 0),
    elapsed: numbersText(advancing, ({ advance }) => advance?.elapsedBefore ?? 0),
    stageStarts: numbersText(advancing, ({ startedAt }) => startedAt),
    firstStarts: numbersText(advancing, ({ advance }) => advance?.firstStartedAt ?? 0),
    entering: countsText(stages, ({ stage }) => stage),
    leaving: countsText(stages, ({ name }) => name),
    lastRank: 0 - (stages.at(-1)?.priority ?? 0),
    lastPos: advancing.at(-1)?.pos ?? null,
  };
}

function inOrder(advancing: readonly Completion[]): readonly Completion[] {
  const isSorted = advancing.every((one, n) => n === 0 || compare(advancing[n - 1] as Completion, one) < 0);
  return isSorted ? advancing : [...advancing].sort(compare);
}

function compare(a: Completion, b: Completion): number {
  return (b.advance?.priority ?? 0) - (a.advance?.priority ?? 0) || a.pos - b.pos;
}

/** The number of jobs per stage, as JSON. */
function countsText(stages: readonly Advance[], pick: (stage: Advance) => string): string {
  const counts = new Map<string, number>();
  for (const stage of stages) counts.set(pick(stage), (counts.get(pick(stage)) ?? 0) + 1);
  return JSON.stringify(Object.fromEntries(counts));
}
