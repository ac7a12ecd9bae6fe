export type { Errand } from "./errand.ts";
export { firstStarts, inversions, overlaps, startedAgain, startsByLane } from "./judges.ts";
export { type Entry, Ledger } from "./ledger.ts";
export { type SeededRandom, seeded } from "./seeded.ts";
export { isLong, KINDS, type Kind, type Member, Site } from "./site.ts";
