import type { Answer } from "@andon/client";
import { clientFor } from "@andon/console/room";
import { FILEFLOW_ROUTES } from "../contract/routes.ts";

type Routes = typeof FILEFLOW_ROUTES;

/** The client of this app's own routes. Answers come in the reader's language. */
export const fileflow = clientFor(FILEFLOW_ROUTES);

export type Execution = Answer<Routes["executions"]["show"]>;
export type ExecutionItem = Answer<Routes["executions"]["list"]>["items"][number];
export type ExecutionCounts = Answer<Routes["executions"]["counts"]>;
export type Stage = Execution["stages"][number];
export type StageLog = Answer<Routes["executions"]["logs"]>["stages"][number];
export type Extraction = Answer<Routes["executions"]["extractions"]>["items"][number];
export type Pipeline = Answer<Routes["pipelines"]["list"]>["items"][number];
export type Schedule = Answer<Routes["pipelineSchedules"]["show"]>;
export type DeadLetter = Answer<Routes["dlq"]["show"]>;
export type RedrivePlan = Answer<Routes["dlq"]["plan"]>;
export type Redrive = Answer<Routes["dlq"]["redriveProgress"]>;

/** The URL of the bytes of one extraction; the browser's cookie authenticates the request. */
export const contentAddress = (id: string) => `/pipelines/extractions/${encodeURIComponent(id)}/content`;
