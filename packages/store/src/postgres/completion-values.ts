import type { Advance, Completion } from "@andon/engine";

/** What the statements take of completions: arrays and JSON objects by position, which PostgreSQL takes apart. */
export function doneValues(done: readonly Completion[]) {
  const fences: Record<number, number> = {};
  const starts: Record<number, number> = {};
  const results: Record<number, string> = {};
  const progresses: Record<number, string> = {};
  for (const { pos, fence, startedAt, result, progress } of done) {
    fences[pos] = fence;
    starts[pos] = startedAt;
    if (result !== null) results[pos] = result;
    if (progress !== null) progresses[pos] = progress;
  }
  return {
    positions: done.map((completion) => completion.pos),
    fences: JSON.stringify(fences),
    starts: JSON.stringify(starts),
    results: JSON.stringify(results),
    progresses: JSON.stringify(progresses),
  };
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
  const by = <T>(pick: (completion: Completion) => T | null) =>
    JSON.stringify(Object.fromEntries(advancing.map((one) => [one.pos, pick(one)])));
  const stages = advancing.map((one) => one.advance as Advance);
  return {
    advancing: advancing.map((one) => one.pos),
    advanceFences: by((one) => one.fence),
    nextStages: by((one) => one.advance?.stage),
    outputs: by((one) => one.advance?.outputs),
    advanceProgresses: by((one) => one.progress),
    numbers: stages.map((stage) => stage.number),
    stageFences: advancing.map((one) => one.fence),
    stageNames: stages.map((stage) => stage.name),
    stageAttempts: stages.map((stage) => stage.attempts),
    elapsed: stages.map((stage) => stage.elapsedBefore),
    stageStarts: advancing.map((one) => one.startedAt),
    firstStarts: stages.map((stage) => stage.firstStartedAt),
  };
}
