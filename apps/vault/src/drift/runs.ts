import { iso, isoOrNull, type Language, type Localized } from "@andon/contract";
import type { Tx } from "@andon/engine";
import { VaultError } from "../contract/errors.ts";

export type RunState = "RUNNING" | "DONE" | "FAILED";

export interface DriftRun {
  readonly id: string;
  readonly jobId: string;
  readonly state: RunState;
  readonly checksum: number;
  readonly startedAt: number;
  readonly finishedAt: number | null;
  readonly filesChecked: number;
  readonly findings: number;
  readonly error: string | null;
}

const COLUMNS = `id, job_id as "jobId", state, checksum, started_at as "startedAt", finished_at as "finishedAt",
files_checked as "filesChecked", findings, error`;

/** A comparison by its id; `latest` is the newest one. */
export async function findRun(rows: Pick<Tx, "query">, id: string): Promise<DriftRun> {
  const [found] =
    id === "latest"
      ? await rows.query<DriftRun>(
          `select ${COLUMNS} from vault_drift_runs order by started_at desc, id desc limit 1`,
        )
      : await rows.query<DriftRun>(`select ${COLUMNS} from vault_drift_runs where id = $1`, [id]);
  if (!found) throw new VaultError("DRIFT_RUN_NOT_FOUND", { run: id });
  return found;
}

/** `leftOut` comes from the job, and is unknown after the job has been purged. */
export function shownRun(run: DriftRun, leftOut: number | undefined, language: Language) {
  return {
    ...run,
    ...(leftOut === undefined ? {} : { filesLeftOut: leftOut }),
    error: run.error && inLanguage(run.error, language),
    checksum: run.checksum === 1,
    startedAt: iso(run.startedAt),
    finishedAt: isoOrNull(run.finishedAt),
  };
}

/** A text of this program is stored in both languages, as JSON; any other text is stored unchanged. */
function inLanguage(error: string, language: Language): string {
  return error.startsWith('{"en":') ? (JSON.parse(error) as Localized)[language] : error;
}

export async function addRun(
  tx: Tx,
  run: { id: string; jobId: string; checksum: boolean; now: number },
): Promise<void> {
  await tx.query(
    `insert into vault_drift_runs (id, job_id, state, checksum, started_at) values ($1, $2, 'RUNNING', $3, $4)`,
    [run.id, run.jobId, run.checksum ? 1 : 0, run.now],
  );
}

const KEPT = 10;

/** Deletes all but the latest comparisons. */
export async function dropOldRuns(tx: Tx): Promise<void> {
  const old = `started_at < (
  select min(started_at) from (select started_at from vault_drift_runs order by started_at desc limit ${KEPT}) as kept
)`;
  await tx.query(
    `delete from vault_drift_findings where run_id in (select id from vault_drift_runs where ${old})`,
  );
  await tx.query(`delete from vault_drift_runs where ${old}`);
}

export async function endRun(
  tx: Tx,
  id: string,
  end: { state: Exclude<RunState, "RUNNING">; error: string | null; now: number },
): Promise<void> {
  await tx.query(
    "update vault_drift_runs set state = $2, error = $3, finished_at = $4 where id = $1 and state = 'RUNNING'",
    [id, end.state, end.error, end.now],
  );
}
