import { studioApp } from "./app.ts";

export { type StudioOptions, studioApp } from "./app.ts";
export type { Executor, Executors, PhaseRun } from "./phases/executor.ts";

/** Creates the app from the settings of its host. */
export default () => studioApp();
