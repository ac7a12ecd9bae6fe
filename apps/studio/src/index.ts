import { studioApp } from "./app.ts";

export { type StudioOptions, studioApp } from "./app.ts";
export type { Executor, Executors, PhaseRun } from "./phases/executor.ts";

/** Makes the app as the settings of its host describe it. */
export default () => studioApp();
