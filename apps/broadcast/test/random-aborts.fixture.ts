import { playAborts } from "./random-aborts.ts";

/**
 * Runs `playAborts` for the fault `bulk-aborts` of the proof, and prints what it found. Arguments: store, seed, milliseconds,
 * maximum rounds.
 */
const [store, seed, budgetMs, most] = process.argv.slice(2);

/** A random generator that returns the same numbers for the same seed (mulberry32). */
function seeded(start: number): (below: number) => number {
  let state = start;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below;
  };
}

const ends = performance.now() + Number(budgetMs);
const isOver = (rounds: number) => rounds >= Number(most) || (rounds > 0 && performance.now() > ends);
const found = await playAborts(store === "postgres" ? "postgres" : "sqlite", seeded(Number(seed)), isOver);
console.log(`found ${JSON.stringify(found)}`);
