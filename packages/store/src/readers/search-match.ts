import type { JobState } from "@andon/contract";
import { type JobFilter, TENANT_MARK } from "@andon/engine";
import { inScope, scopeValues } from "../steps/in-scope.ts";
import { type StepContext, shared } from "../steps/statement-registry.ts";

/**
 * States of jobs that have not ended. `parked` and `failed` jobs have a row in andon_ended, and their job rows contain
 * the state.
 */
export const IN_LINE: readonly JobState[] = ["scheduled", "blocked", "ready", "running"];

/** `replace` expresses "contains" on both databases; `part` is in lower case already. */
const contains = (column: string, part: string) =>
  `replace(lower(${column}), @${part}, '') <> lower(${column})`;

/**
 * Keys are stored as a JSON array of lanes. The text of a lane of another tenant begins with that tenant between two
 * marks (engine/src/lanes/lane-id.ts), which is removed before keys are compared. A tenant has no control characters,
 * so JSON escapes only quotes and backslashes in it. What follows a bracket or a comma is a key, and quotes inside a
 * key are escaped.
 */
const MARK = JSON.stringify(TENANT_MARK).slice(1, -1);
const TENANT_IN_JSON = `replace(replace(j.tenant, '\\', '\\\\'), '"', '\\"')`;
const KEYS = `replace(j.lane_keys, '${MARK}' || ${TENANT_IN_JSON} || '${MARK}', '')`;
const PREDICATES = `
  and (cast(@queue as text) is null or j.queue = @queue)
  and (cast(@name as text) is null or j.name = @name)
  and ${inScope("j.")}
  and (cast(@from as bigint) is null or j.created_at >= @from)
  and (cast(@to as bigint) is null or j.created_at < @to)
  and (cast(@fingerprint as text) is null or j.fingerprint = @fingerprint)
  and (cast(@code as text) is null or j.error_code = @code)
  and (cast(@firstKey as text) is null
    or replace(${KEYS}, @firstKey, '') <> ${KEYS} or replace(${KEYS}, @laterKey, '') <> ${KEYS})
  and (cast(@text as text) is null
    or ${contains("j.id", "text")} or ${contains("j.name", "text")} or ${contains("j.error_message", "text")}
    or ${contains(KEYS, "textInJson")} or ${contains("cast(coalesce(j.ticket, j.pos) as text)", "text")})`;

/** The row of an ended job contains its state; the state of an open job needs four tables. */
const match = shared(
  "search-match",
  (d) => `select j.pos from andon_jobs j where j.pos ${d.among("positions", "bigint")}
  and (cast(@state as text) is null or j.state = @state)${PREDICATES}`,
);
const matchInLine = shared(
  "search-match-in-line",
  (d) => `select j.pos, j.job_state as state from andon_job_states j
where j.pos ${d.among("positions", "bigint")}
  and (cast(@state as text) is null or j.job_state = @state)${PREDICATES}`,
);

function values(at: StepContext, positions: readonly number[], filter: JobFilter) {
  const key = filter.key === undefined ? null : JSON.stringify(filter.key);
  const text = filter.text?.toLowerCase() ?? null;
  return {
    positions: at.dialect.array(positions),
    queue: filter.queue ?? null,
    state: filter.state ?? null,
    name: filter.name ?? null,
    ...scopeValues(filter),
    from: filter.from ?? null,
    to: filter.to ?? null,
    fingerprint: filter.fingerprint ?? null,
    code: filter.code ?? null,
    firstKey: key && `[${key}`,
    laterKey: key && `,${key}`,
    text,
    textInJson: text === null ? null : JSON.stringify(text).slice(1, -1),
  };
}

/** The jobs among these that match the filter, in the given order. */
export async function matching(
  at: StepContext,
  positions: readonly number[],
  filter: JobFilter,
): Promise<number[]> {
  if (positions.length === 0) return [];
  const statement = filter.state !== undefined && IN_LINE.includes(filter.state) ? matchInLine : match;
  const rows = await at.session.all<{ pos: number }>(statement(at.dialect), values(at, positions, filter));
  const found = new Set(rows.map((row) => row.pos));
  return positions.filter((pos) => found.has(pos));
}

/** The same with the state of each job. */
export async function matchingStates(
  at: StepContext,
  positions: readonly number[],
  filter: JobFilter,
): Promise<{ pos: number; state: JobState }[]> {
  if (positions.length === 0) return [];
  return at.session.all(matchInLine(at.dialect), values(at, positions, filter));
}
