import { fileflowApp } from "./app.ts";

export { type FileflowOptions, fileflowApp } from "./app.ts";
export { createExtractor } from "./extract/create-extractor.ts";
export { ExtractError, type Extractor, type ExtractRequest, type ExtractResult } from "./extract/port.ts";
export type { StageOutput, StageProgram, StageRun } from "./stages/stage-program.ts";

/** Creates the app from the settings of its host. */
export default () => fileflowApp();
