import type { Job, JobState, Principal } from "@andon/contract";
import type { Andon, LaneState, Tx, Within } from "@andon/engine";
import { VaultError } from "../contract/errors.ts";
import { FILE_COLUMNS, type File } from "../files/file-row.ts";
import { SYNC_QUEUE } from "../vault-context.ts";
import { fileLane, type SyncPayload } from "./sync-job.ts";

export type SyncJob = Job<SyncPayload>;

/** A file with a failed operation. A file that was deleted for good can still be held by its last operation. */
export interface FailedFile {
  readonly file: File;
  readonly jobId: string;
}

/**
 * Reads in the transaction, if there is one; else outside the event loop, because a file can have very many operations.
 */
function readIn<Row>(
  { store, tx }: { store: Andon["store"]; tx: Tx | undefined },
  sql: string,
  params: readonly unknown[],
): Promise<Row[]> {
  return tx ? tx.query<Row>(sql, params) : store.scan<Row>(sql, params);
}

type FileOfTenant = Pick<File, "id" | "tenantId">;

const OPEN: readonly JobState[] = ["scheduled", "blocked", "ready", "running", "parked"];

/** A file that is renamed all day has many operations; the latest ones are shown. */
const MOST_FINISHED = 100;

/** The lane of a file; undefined if it has never had an operation. */
export async function laneOfFile(
  { reading }: Andon,
  { id, tenantId }: FileOfTenant,
  within?: Within,
): Promise<LaneState | undefined> {
  return (await reading.lanes(SYNC_QUEUE, [{ tenant: tenantId, key: fileLane(id) }], within))[0];
}

/** Operations that are in the file's lane, in order: those that wait or run, and a failed one that holds the file. */
export async function unfinishedOperations(
  { reading }: Andon,
  { id, tenantId }: FileOfTenant,
): Promise<SyncJob[]> {
  return (await reading.jobsOfLane(SYNC_QUEUE, { tenant: tenantId, key: fileLane(id) })) as SyncJob[];
}

/** The last operation that the file still has to run, except this one. */
export async function lastUnfinished({ reading }: Andon, tx: Tx, job: SyncJob): Promise<SyncJob | undefined> {
  const lane = { tenant: job.tenant, key: fileLane(job.payload.fileId) };
  const last = await reading.jobsOfLane(SYNC_QUEUE, lane, { tx, onlyOpen: true, end: "last", limit: 2 });
  return last.reverse().find(({ id }) => id !== job.id) as SyncJob | undefined;
}

/**
 * The operations of a file that wait, run, or have failed without a decision, in order. There can be very many others.
 */
async function unsettledOperations({ reading, store }: Andon, fileId: string, tx?: Tx): Promise<SyncJob[]> {
  const rows = await readIn<{ id: string }>(
    { store, tx },
    `select o.job_id as id from vault_operations o where o.file_id = $1
and (select q.status from file_sync_queue q where q.id = o.job_id) in ('PENDING', 'PROCESSING', 'FAILED')`,
    [fileId],
  );
  const ids = rows.map(({ id }) => id);
  return (await reading.jobs(ids, { tx })) as SyncJob[];
}

/**
 * The latest operations that have ended and left the lane, in order. The ids of jobs are in the order of their
 * creation.
 */
export async function finishedOperations(
  { reading, store }: Andon,
  fileId: string,
  unfinished: readonly SyncJob[],
): Promise<SyncJob[]> {
  const inLane = new Set(unfinished.map(({ id }) => id));
  const latest = await store.query<{ id: string }>(
    "select job_id as id from vault_operations where file_id = $1 order by job_id desc limit $2",
    [fileId, MOST_FINISHED + inLane.size],
  );
  const left = latest.map(({ id }) => id).filter((id) => !inLane.has(id));
  const jobs = (await reading.jobs(left)) as SyncJob[];
  return jobs.filter(({ state }) => !OPEN.includes(state)).slice(-MOST_FINISHED);
}

/**
 * Whether a deleted file has operations left, except this one: those that wait or run, and failed ones that hold it. A failed
 * DELETE always counts: a person decides about it, and the bytes belong to the file until then.
 */
export async function hasOperationsLeft(
  andon: Andon,
  fileId: string,
  { tx, except }: { tx?: Tx | undefined; except?: string } = {},
): Promise<boolean> {
  const others = (await unsettledOperations(andon, fileId, tx)).filter(({ id }) => id !== except);
  const failed = others.filter(({ state }) => state === "failed");
  if (others.some(({ state }) => OPEN.includes(state))) return true;
  if (failed.some(({ name }) => name === "DELETE")) return true;
  const [one] = failed;
  if (!one) return false;
  const lane = { tenant: one.tenant, key: fileLane(fileId) };
  const inLane = await andon.reading.jobsOfLane(SYNC_QUEUE, lane, { tx });
  return inLane.some(({ id }) => failed.some((job) => job.id === id));
}

/**
 * Whether a file went on without this operation: a later one is done, or the file is deleted for good and its rows are
 * gone. That happens to an operation that failed and left its lanes (`cancel-rest`). If it were carried out late, it
 * would undo later operations.
 *
 * Done jobs are purged by age, failed ones stay: a later operation whose job is gone ended long ago.
 */
export async function isSuperseded(
  { reading, store }: Andon,
  { id, payload }: SyncJob,
  tx?: Tx,
): Promise<boolean> {
  const [file] = await readIn<{ ownAt: number | null }>(
    { store, tx },
    `select (select o.created_at from vault_operations o where o.file_id = f.id and o.job_id = $2) as "ownAt"
from files f where f.id = $1`,
    [payload.fileId, id],
  );
  if (!file) return true;
  const { ownAt } = file;
  if (ownAt === null) return false;
  // The newest ones are enough: if any operation is later, they are.
  const ended = await readIn<{ id: string; createdAt: number; status: string | null }>(
    { store, tx },
    `select * from (
  select o.job_id as id, o.created_at as "createdAt", (select q.status from file_sync_queue q where q.id = o.job_id) as status
  from vault_operations o where o.file_id = $1 and o.job_id <> $2 and o.created_at >= $3
) later where status is null or status = 'DONE' order by id desc limit ${MOST_FINISHED}`,
    [payload.fileId, id, ownAt],
  );
  if (ended.some(({ status, createdAt }) => status === null && createdAt > ownAt)) return true;
  const done = ended.flatMap((operation) => (operation.status === null ? [] : operation.id));
  const inOrder = await reading.jobs([id, ...done], { tx });
  return inOrder.at(-1)?.id !== id;
}

/** The failed operation that a decision about a file concerns: the one that holds it, else the newest failed one. */
export async function failedOperation(
  andon: Andon,
  { tenantId, organizationId }: Pick<Principal, "tenantId" | "organizationId">,
  fileId: string,
): Promise<FailedFile> {
  const { store, reading } = andon;
  const [file] = await store.query<File>(
    `select ${FILE_COLUMNS} from files where id = $1
and (cast($2 as text) is null or tenant_id = $2) and (cast($3 as text) is null or organization_id = $3)`,
    [fileId, tenantId, organizationId],
  );
  if (!file) throw new VaultError("FILE_NOT_FOUND");
  const holder = (await laneOfFile(andon, file))?.held?.jobId;
  const [job] = typeof holder === "string" ? await reading.jobs([holder]) : [];
  if (job?.state === "failed" && job.keys[0] === fileLane(fileId)) return { file, jobId: job.id };
  const failed = (await unsettledOperations(andon, fileId)).filter(({ state }) => state === "failed");
  const newest = failed.at(-1);
  if (!newest) throw new VaultError("FILE_NOT_HELD");
  return { file, jobId: newest.id };
}

/**
 * The number of a file's oldest operations that are checked with each new one: a file that is renamed all day has
 * 100,000.
 */
const MOST_FORGOTTEN = 100;

/** Jobs that are done are purged by age; the rows that point to them are removed with the file's next operations. */
export async function forgetPurged(tx: Tx, fileId: string): Promise<void> {
  await tx.query(
    `delete from vault_operations where file_id = $1
and job_id in (select o.job_id from vault_operations o where o.file_id = $1 order by o.job_id limit ${MOST_FORGOTTEN})
and (select q.id from file_sync_queue q where q.id = vault_operations.job_id) is null`,
    [fileId],
  );
}
