export { checkConsistency } from "../conformance/check-consistency.ts";
export { ManualClock } from "../conformance/manual-clock.ts";
export { LineModel, type ModelJob, type ModelRules } from "./line-model.ts";
export { type Move, moves, rules } from "./moves.ts";
export { Play } from "./play.ts";
