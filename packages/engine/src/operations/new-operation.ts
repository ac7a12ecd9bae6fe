import { newId } from "../ids.ts";
import type { OperationAction, OperationRow } from "../ports/store.ts";

type Given = Pick<OperationRow, "queue" | "actor" | "reason" | "details" | "driver"> &
  Partial<Pick<OperationRow, "list" | "tenant" | "organization" | "total">>;

/** A new operation. If `list` is given, that list exists already; otherwise the list is written next. */
export function newOperation(at: number, action: OperationAction, given: Given): OperationRow {
  const id = newId(at);
  return {
    id,
    action,
    tenant: null,
    organization: null,
    list: id,
    total: 0,
    ...given,
    state: given.list === undefined ? "freezing" : "running",
    createdAt: at,
    finishedAt: null,
    done: 0,
    requested: 0,
    leftOut: 0,
    leftOutJobs: [],
    result: {},
    nextStep: 0,
    nextItem: 0,
    beat: 1,
  };
}
