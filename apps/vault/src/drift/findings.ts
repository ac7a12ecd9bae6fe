import type { Store, Tx } from "@andon/engine";
import { countRows, type Listing, type PageRequest, pageOf, rowsOf } from "../bounded-list.ts";
import { rowBatches } from "../sql-lists.ts";

export type DriftKind =
  | "MISSING_ON_NAS"
  | "MISSING_IN_CACHE"
  | "SIZE_DIFFERS"
  | "CHECKSUM_DIFFERS"
  | "UNKNOWN_ON_NAS"
  | "LEFTOVER_TEMPORARY";
export type Repair = "UPLOAD_AGAIN" | "FETCH_TO_CACHE" | "REMOVE_TEMPORARY" | "NONE";

/** The repair of each kind. An unknown file may still be needed, so a person decides about it. */
const REPAIRS: Record<DriftKind, Repair> = {
  MISSING_ON_NAS: "UPLOAD_AGAIN",
  SIZE_DIFFERS: "UPLOAD_AGAIN",
  CHECKSUM_DIFFERS: "UPLOAD_AGAIN",
  MISSING_IN_CACHE: "FETCH_TO_CACHE",
  LEFTOVER_TEMPORARY: "REMOVE_TEMPORARY",
  UNKNOWN_ON_NAS: "NONE",
};

export interface NewFinding {
  readonly kind: DriftKind;
  readonly path: string;
  readonly fileId: string | null;
  readonly expected: unknown;
  readonly found: unknown;
}

export interface Finding {
  readonly seq: number;
  readonly kind: DriftKind;
  readonly path: string;
  readonly fileId: string | null;
  readonly expected: string | null;
  readonly found: string | null;
  readonly repair: Repair;
  readonly repairedBy: string | null;
}

export const FINDING_COLUMNS = `seq, kind, path, file_id as "fileId", expected, found, repair, repaired_by as "repairedBy"`;

/** Adds findings to a run, and counts the checked files. */
export async function addFindings(
  tx: Tx,
  runId: string,
  found: readonly NewFinding[],
  filesChecked: number,
): Promise<void> {
  const [run] = await tx.query<{ findings: number }>(
    `update vault_drift_runs set findings = findings + $2, files_checked = files_checked + $3
where id = $1 returning findings`,
    [runId, found.length, filesChecked],
  );
  const first = (run?.findings ?? found.length) - found.length;
  const rows = found.map(({ kind, path, fileId, expected, found: there }, index) => [
    runId,
    first + index + 1,
    kind,
    path,
    fileId,
    JSON.stringify(expected),
    JSON.stringify(there),
    REPAIRS[kind],
  ]);
  for (const { values, params } of rowBatches(rows)) {
    await tx.query(
      `insert into vault_drift_findings (run_id, seq, kind, path, file_id, expected, found, repair) values ${values}`,
      params,
    );
  }
}

/** Deletes the findings of the walk over the NAS, because the walk starts from its beginning. */
export async function dropFoundOnNas(tx: Tx, runId: string): Promise<void> {
  const dropped = await tx.query(
    `delete from vault_drift_findings
where run_id = $1 and kind in ('UNKNOWN_ON_NAS', 'LEFTOVER_TEMPORARY') returning seq`,
    [runId],
  );
  await tx.query("update vault_drift_runs set findings = findings - $2 where id = $1", [
    runId,
    dropped.length,
  ]);
}

export async function listFindings(
  store: Store,
  runId: string,
  { kind, open, ...request }: PageRequest & { kind?: DriftKind | undefined; open?: boolean | undefined },
) {
  const listing: Listing = {
    candidates: `select ${FINDING_COLUMNS} from vault_drift_findings
where run_id = $1${kind ? " and kind = $2" : ""}${open ? " and repaired_by is null" : ""}`,
    params: kind ? [runId, kind] : [runId],
    order: "seq",
  };
  const counted = await countRows(store, listing);
  const items = await rowsOf<Finding>(store, listing, {
    offset: (request.page - 1) * request.limit,
    limit: request.limit,
  });
  return pageOf(
    request,
    counted,
    items.map(({ seq: _seq, expected, found, ...finding }) => ({
      ...finding,
      expected: parsed(expected),
      found: parsed(found),
    })),
  );
}

function parsed(json: string | null): unknown {
  return json === null ? null : JSON.parse(json);
}
