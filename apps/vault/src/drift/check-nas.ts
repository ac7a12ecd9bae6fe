import { iso, type JobState } from "@andon/contract";
import { type Listed, MARKER } from "@andon/storage";
import { pathKey } from "../names/path-key.ts";
import { tenantOfPath } from "../nas/nas-path.ts";
import { quarantinedPaths } from "../sync/clear-nas-path.ts";
import { ownersOf } from "../sync/locate-on-nas.ts";
import { pathLane } from "../sync/sync-job.ts";
import { SYNC_QUEUE, type VaultContext } from "../vault-context.ts";
import type { NewFinding } from "./findings.ts";

/** The files on the NAS, in batches that fit one query. Folders and the marker are left out. */
export async function* batchesOnNas({ nas }: VaultContext): AsyncGenerator<Listed[]> {
  let batch: Listed[] = [];
  for await (const entry of nas.list("", { recursive: true })) {
    if (entry.kind === "folder" || entry.path === MARKER) continue;
    batch.push(entry);
    if (batch.length < AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const AT_ONCE = 128;

/** Entries that are neither the path of a file, nor named by an unfinished operation, nor quarantined by a repair. */
export async function unknownAmong(vault: VaultContext, entries: readonly Listed[]): Promise<NewFinding[]> {
  const own = entries.filter(({ kind }) => kind === "own");
  const others = entries.filter(({ kind }) => kind !== "own");
  return [...(await leftovers(vault, own)), ...(await unknowns(vault, others))];
}

async function unknowns(vault: VaultContext, entries: readonly Listed[]): Promise<NewFinding[]> {
  const { store } = vault.andon;
  const paths = entries.map(({ path }) => path);
  // Lanes first: an operation that ends in between has then recorded its path before the owners are read.
  const named = await pathsInUse(vault, paths);
  const owners = await ownersOf(vault.andon, paths);
  const quarantined = await quarantinedPaths(store, paths);
  return entries
    .filter(({ path }) => !named.has(path) && !owners.has(path) && !quarantined.has(path))
    .map(({ path, kind, size }) => ({
      kind: "UNKNOWN_ON_NAS",
      path,
      fileId: null,
      expected: null,
      found: { kind, size },
    }));
}

async function pathsInUse(
  { andon, settings }: VaultContext,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const laneOf = (path: string) => ({ tenant: tenantOfPath(path), key: pathLane(pathKey(path, settings)) });
  const nameOf = ({ tenant, key }: { tenant: string; key: string }) => JSON.stringify([tenant, key]);
  const lanes = await andon.reading.lanes(SYNC_QUEUE, paths.map(laneOf));
  const inUse = new Set(lanes.filter(({ depth }) => depth > 0).map(nameOf));
  return new Set(paths.filter((path) => inUse.has(nameOf(laneOf(path)))));
}

/** A temporary file of no known job can still be in use if it changed within this time, in ms. */
const LEFT_AFTER_MS = 3_600_000;
const JOB_OF_TEMPORARY = /\.andon-([0-9a-f-]{36})-\d+\.part$/;

async function leftovers({ andon }: VaultContext, entries: readonly Listed[]): Promise<NewFinding[]> {
  const found: NewFinding[] = [];
  const jobOf = ({ path }: Listed) => JOB_OF_TEMPORARY.exec(path)?.[1];
  const jobs = await andon.reading.jobs([...new Set(entries.flatMap((entry) => jobOf(entry) ?? []))]);
  const jobById = new Map(jobs.map((job) => [job.id, job]));
  for (const entry of entries) {
    const { path, size, modifiedAt } = entry;
    const job = jobById.get(jobOf(entry) ?? "");
    const isLeft = job ? isEnded(job.state) : andon.store.clock.now() - modifiedAt > LEFT_AFTER_MS;
    if (isLeft) {
      const there = { size, modifiedAt: iso(modifiedAt) };
      found.push({ kind: "LEFTOVER_TEMPORARY", path, fileId: null, expected: null, found: there });
    }
  }
  return found;
}

const ENDED: readonly JobState[] = ["done", "skipped", "resolved", "cancelled", "aborted"];

/** Not `failed`: a failed operation can be queued again, and then removes its own leftovers. */
function isEnded(state: JobState): boolean {
  return ENDED.includes(state);
}
