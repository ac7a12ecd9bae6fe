/** Where this app's rooms are. */
export const EXECUTIONS = "/fileflow/executions";
export const PIPELINES = "/fileflow/pipelines";
export const SCHEDULES = "/fileflow/schedules";
export const DLQ = "/fileflow/dlq";

export const executionAddress = (id: string) => `${EXECUTIONS}/${encodeURIComponent(id)}`;
export const letterAddress = (id: string) => `${DLQ}/${encodeURIComponent(id)}`;

/** The list of executions with these filters. */
export const executionsWith = (filters: Readonly<Record<string, string>>) =>
  `${EXECUTIONS}?${new URLSearchParams(filters)}`;
