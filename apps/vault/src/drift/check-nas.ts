import { iso, type JobState } from "@andon/contract";
import { type Listed, MARKER } from "@andon/storage";
import { pathKey } from "../names/path-key.ts";
import { SYNC_QUEUE, type VaultParts } from "../parts.ts";
import { inList } from "../sql-lists.ts";
import { ownersOf } from "../sync/path-owners.ts";
import { pathLane } from "../sync/payload.ts";
import { pathsSetAside } from "../sync/set-aside.ts";
import type { NewFinding } from "./findings.ts";

/** What lies on the NAS, in stretches that fit one look at the store. Folders, and the marker, are not asked about. */
export async function* stretchesOnNas({ nas }: VaultParts): AsyncGenerator<Listed[]> {
  let stretch: Listed[] = [];
  for await (const entry of nas.list("", { recursive: true })) {
    if (entry.kind === "folder" || entry.path === MARKER) continue;
    stretch.push(entry);
    if (stretch.length < AT_ONCE) continue;
    yield stretch;
    stretch = [];
  }
  if (stretch.length > 0) yield stretch;
}

const AT_ONCE = 128;

/**
 * What of these nobody knows: not as the place of a file, nor as a path that an unfinished operation names, nor as what a
 * repair has set aside.
 */
export async function strangersAmong(parts: VaultParts, entries: readonly Listed[]): Promise<NewFinding[]> {
  const own = entries.filter(({ kind }) => kind === "own");
  const others = entries.filter(({ kind }) => kind !== "own");
  return [...(await leftovers(parts, own)), ...(await unknowns(parts, others))];
}

async function unknowns(parts: VaultParts, entries: readonly Listed[]): Promise<NewFinding[]> {
  const { store } = parts.andon;
  const paths = entries.map(({ path }) => path);
  // Lanes first: an operation that ends in between has then written its path before the owners are asked.
  const named = await pathsInUse(parts, paths);
  const owners = await ownersOf(store, paths);
  const aside = await pathsSetAside(store, paths);
  return entries
    .filter(({ path }) => !named.has(path) && !owners.has(path) && !aside.has(path))
    .map(({ path, kind, size }) => ({
      kind: "UNKNOWN_ON_NAS",
      path,
      fileId: null,
      expected: null,
      found: { kind, size },
    }));
}

async function pathsInUse(
  { andon, settings }: VaultParts,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const keys = new Map(paths.map((path) => [path, pathLane(pathKey(path, settings))]));
  const { list, params } = inList([...keys.values()], 1);
  const lanes = await andon.store.query<{ lane_key: string }>(
    `select lane_key from andon_lanes where queue = $1 and depth > 0 and lane_key in (${list})`,
    [SYNC_QUEUE, ...params],
  );
  const inUse = new Set(lanes.map(({ lane_key }) => lane_key));
  return new Set(paths.filter((path) => inUse.has(keys.get(path) as string)));
}

/** A temporary of ours that changed lately may be somebody's who is still writing. */
const LEFT_AFTER_MS = 3_600_000;
const JOB_OF_TEMPORARY = /\.andon-([0-9a-f-]{36})-\d+\.part$/;

async function leftovers({ andon }: VaultParts, entries: readonly Listed[]): Promise<NewFinding[]> {
  const found: NewFinding[] = [];
  for (const { path, size, modifiedAt } of entries) {
    const jobId = JOB_OF_TEMPORARY.exec(path)?.[1];
    const job = jobId === undefined ? undefined : await andon.job(jobId);
    const isDropped = job ? isEnded(job.state) : andon.store.clock.now() - modifiedAt > LEFT_AFTER_MS;
    if (isDropped) {
      const there = { size, modifiedAt: iso(modifiedAt) };
      found.push({ kind: "LEFTOVER_TEMPORARY", path, fileId: null, expected: null, found: there });
    }
  }
  return found;
}

const ENDED: readonly JobState[] = ["done", "skipped", "resolved", "cancelled", "aborted"];

/** A failed operation may be queued again, and removes its own leftovers then. */
function isEnded(state: JobState): boolean {
  return ENDED.includes(state);
}
