import type { Advance, Completion } from "@andon/engine";

/**
 * What the statements take of completions: arrays and JSON objects by position, which PostgreSQL takes apart. The texts are
 * composed here: an object with positions as keys is slow to fill, and the client would quote every number of an array. Both
 * together were an eighth of a worker's own time.
 */
export function doneValues(done: readonly Completion[]) {
  return {
    positions: numbersText(done, ({ pos }) => pos),
    fences: objectText(done, ({ fence }) => fence),
    starts: objectText(done, ({ startedAt }) => startedAt),
    results: objectText(done, ({ result }) => result),
    progresses: objectText(done, ({ progress }) => progress),
  };
}

/** An array of numbers as PostgreSQL writes it. */
function numbersText(done: readonly Completion[], pick: (one: Completion) => number): string {
  let text = "";
  for (const one of done) text += text === "" ? pick(one) : `,${pick(one)}`;
  return `{${text}}`;
}

/** A JSON object by position; what is null is left out. */
function objectText(
  done: readonly Completion[],
  pick: (one: Completion) => number | string | null | undefined,
): string {
  let text = "";
  for (const one of done) {
    const value = pick(one);
    if (value === null || value === undefined) continue;
    if (text !== "") text += ",";
    text += `"${one.pos}":${typeof value === "number" ? value : JSON.stringify(value)}`;
  }
  return `{${text}}`;
}

/** Which job stands in which lanes, as pairs. */
export function laneValues(done: readonly Completion[]) {
  const lanePositions: number[] = [];
  const laneKeys: string[] = [];
  for (const { pos, lanes } of done)
    for (const lane of lanes) {
      lanePositions.push(pos);
      laneKeys.push(lane);
    }
  return { lanePositions, laneKeys };
}

export function advanceValues(advancing: readonly Completion[]) {
  const stages = advancing.map((one) => one.advance as Advance);
  return {
    advancing: numbersText(advancing, ({ pos }) => pos),
    advanceFences: objectText(advancing, ({ fence }) => fence),
    nextStages: objectText(advancing, ({ advance }) => advance?.stage),
    outputs: objectText(advancing, ({ advance }) => advance?.outputs),
    advanceProgresses: objectText(advancing, ({ progress }) => progress),
    numbers: numbersText(advancing, ({ advance }) => advance?.number ?? 0),
    stageFences: numbersText(advancing, ({ fence }) => fence),
    stageNames: stages.map((stage) => stage.name),
    stageAttempts: numbersText(advancing, ({ advance }) => advance?.attempts ?? 0),
    elapsed: numbersText(advancing, ({ advance }) => advance?.elapsedBefore ?? 0),
    stageStarts: numbersText(advancing, ({ startedAt }) => startedAt),
    firstStarts: numbersText(advancing, ({ advance }) => advance?.firstStartedAt ?? 0),
  };
}
