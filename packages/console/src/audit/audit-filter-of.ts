import type { AuditFilter } from "../api/queries.ts";
import type { Search } from "../ui/address.ts";

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The address as a filter of the API. Days are in the reader's time zone, and the last day is included. */
export function auditFilterOf(search: Search): AuditFilter {
  const { target, actor, action, from, to } = search;
  return {
    ...(target ? { target } : {}),
    ...(actor ? { actor } : {}),
    ...(action ? { action } : {}),
    ...(from && DAY.test(from) ? { from: startOfDay(from, 0) } : {}),
    ...(to && DAY.test(to) ? { to: startOfDay(to, 1) } : {}),
  };
}

function startOfDay(day: string, later: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}
