export { bookFindings, judgeDone, judgeLedger } from "./judge.ts";
export { strikeAt } from "./named-points.ts";
export { addOutcome, emptyOutcome, type Outcome, percentile } from "./outcome.ts";
export { parkRaces } from "./park-races.ts";
export { allPoints, type Point } from "./points.ts";
export { type KillPlan, randomKills } from "./random-kills.ts";
export { rehearsedLine } from "./rehearsed-line.ts";
export { stageKills } from "./stage-kills.ts";
