/** The verbs that a worker applies to its claims, for code that drives an engine by hand, such as its tests. */
export { failureOf } from "../lifecycle/failure.ts";
export { abort } from "./abort.ts";
export { complete, completionOf } from "./complete.ts";
export { expire } from "./expire.ts";
export { fail } from "./fail.ts";
export { giveBack } from "./give-back.ts";
export { park } from "./park.ts";
export { postpone } from "./postpone.ts";
export { claimProbe } from "./probe.ts";
export { promote } from "./promote.ts";
export { snooze } from "./snooze.ts";
