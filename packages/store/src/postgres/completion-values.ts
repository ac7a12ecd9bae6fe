import type { Advance, Completion } from "@andon/engine";

/** What needs a backslash before it inside the quotes of an array's text. */
const ESCAPED = /["\\]/;
const EACH_ESCAPED = /["\\]/g;

/**
 * What the statements take of completions: arrays and JSON objects by position, which PostgreSQL takes apart. The texts are
 * composed here: an object with positions as keys is slow to fill, and the client would quote every number of an array. Both
 * together were an eighth of a worker's own time. Claims of one request have one start and mostly one fence, and many handlers
 * return nothing: what is alike goes out once, and what is missing not at all.
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

/** Of a completion that stands alone, beside what `doneValues` tells of it. */
export function oneValues({ pos, result, progress }: Completion) {
  return { pos, result, progress };
}

/** An array of numbers as PostgreSQL writes it. */
function numbersText(done: readonly Completion[], pick: (one: Completion) => number): string {
  let text = "";
  for (const one of done) text += text === "" ? pick(one) : `,${pick(one)}`;
  return `{${text}}`;
}

/** What differs from the first one, by position: mostly nothing does, and the server has nothing to look up. */
function unlikeFirst<T extends number | string>(
  done: readonly Completion[],
  pick: (one: Completion) => T,
): string | null {
  const first = done[0] && pick(done[0]);
  return objectText(done, (one) => (pick(one) === first ? null : pick(one)));
}

/** A JSON object by position; what is null is left out. Null where nothing is left. */
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
 * The lanes of completions, each once, and which job stands in which, as pairs. Mostly each job has one lane and none has
 * that of another: the lanes are then those of the pairs too, and `laneKeys` is null.
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

/** An array of texts as PostgreSQL writes it. */
function textsText(list: Iterable<string>): string {
  let text = "";
  for (const one of list) {
    if (text !== "") text += ",";
    text += `"${ESCAPED.test(one) ? one.replace(EACH_ESCAPED, "\\$&") : one}"`;
  }
  return `{${text}}`;
}

/** In the order of the line, as the claim log names them. */
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

/** How many there are of each stage, as JSON. */
function countsText(stages: readonly Advance[], pick: (stage: Advance) => string): string {
  const counts = new Map<string, number>();
  for (const stage of stages) counts.set(pick(stage), (counts.get(pick(stage)) ?? 0) + 1);
  return JSON.stringify(Object.fromEntries(counts));
}
