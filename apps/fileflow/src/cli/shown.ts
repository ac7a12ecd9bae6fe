import { localTime } from "@andon/cli/app";
import type { Answer } from "@andon/client";
import type { FILEFLOW_ROUTES } from "../contract/routes.ts";

type Routes = typeof FILEFLOW_ROUTES;
export type Execution = Answer<Routes["executions"]["show"]>;
export type ExecutionItem = Answer<Routes["executions"]["list"]>["items"][number];
export type DeadLetter = Answer<Routes["dlq"]["show"]>;
export type Redrive = Answer<Routes["dlq"]["redriveProgress"]>;

/** The colours of the statuses of executions, stages, dead letters and redrives; all others have none. */
const COLOURS: Readonly<Record<string, "green" | "yellow" | "red">> = {
  RUNNING: "green",
  FAILED: "red",
  TIMEOUT: "red",
  CANCELLED: "yellow",
  SKIPPED: "yellow",
  DEAD: "red",
  QUARANTINED: "yellow",
  error: "red",
  warn: "yellow",
};

export const colourOf = (state: string) => COLOURS[state];
export const timeOrDash = (at: string | null) => (at === null ? "-" : localTime(at));
export const tookOf = (ms: number | null) =>
  ms === null ? "-" : ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
export const objectOf = ({ bucket, key, fileId }: Pick<ExecutionItem, "bucket" | "key" | "fileId">) =>
  bucket === null ? fileId : `${bucket}/${key}`;
export const errorOf = (error: ExecutionItem["error"]) => error && `${error.code} ${error.message}`;
