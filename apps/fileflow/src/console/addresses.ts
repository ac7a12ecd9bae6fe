/** The addresses of this app's rooms. */
export const EXECUTIONS = "/fileflow/executions";
export const PIPELINES = "/fileflow/pipelines";
export const SCHEDULES = "/fileflow/schedules";
export const DLQ = "/fileflow/dlq";

export const executionAddress = (id: string) => `${EXECUTIONS}/${encodeURIComponent(id)}`;
export const letterAddress = (id: string) => `${DLQ}/${encodeURIComponent(id)}`;

type Filters = Readonly<Record<string, string>>;
const withFilters = (room: string, filters: Filters) =>
  Object.keys(filters).length === 0 ? room : `${room}?${new URLSearchParams(filters)}`;

/** The list of executions with these filters. */
export const executionsWith = (filters: Filters) => withFilters(EXECUTIONS, filters);

/** The list of dead letters with these filters. */
export const lettersWith = (filters: Filters) => withFilters(DLQ, filters);
