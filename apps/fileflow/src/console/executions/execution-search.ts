import type { Search } from "@andon/console/room";
import { EXECUTION_STATUSES, TRIGGER_TYPES } from "../../contract/states.ts";
import { timeIn } from "../time-in.ts";

export const EXECUTION_FILTERS = [
  "status",
  "pipelineCode",
  "triggerType",
  "tenantId",
  "orgId",
  "fileId",
  "from",
  "to",
] as const;

/** The filters in the address that the API understands; all others are ignored. */
export function executionSearch(search: Search) {
  const given = {
    status: EXECUTION_STATUSES.find((status) => status === search.status),
    triggerType: TRIGGER_TYPES.find((type) => type === search.triggerType),
    pipelineCode: search.pipelineCode,
    tenantId: search.tenantId,
    orgId: search.orgId,
    fileId: search.fileId,
    from: timeIn(search.from),
    to: timeIn(search.to),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as typeof given;
}

export type ExecutionSearch = ReturnType<typeof executionSearch>;

/**
 * The filter for a retry of all that match; undefined if the page has filters that a retry does not support, or shows other
 * statuses.
 */
export function retryFilter({ status, pipelineCode, from, to, ...rest }: ExecutionSearch) {
  if (Object.keys(rest).length > 0) return undefined;
  if (status !== "FAILED" && status !== "TIMEOUT") return undefined;
  return { status, pipelineCode, from, to };
}
