import type { Tx } from "@andon/engine";
import { trashPath } from "../nas/nas-path.ts";
import { inList } from "../sql-lists.ts";
import type { OperationRun } from "./operation-run.ts";

/**
 * Clears a path of the NAS whose file somebody changed, for the bytes that replace it or because the file is deleted: what
 * lies there goes to the trash under the operation's own id, where a person finds it until its time there is over. The
 * store knows of it before it moves: a crash in between leaves nothing on the NAS that nobody knows. A path that is free
 * has been cleared before. Answers where it went, if anything lay there.
 *
 * An operation may do so again, also after a long time. Each time has a row and a path of its own, which the time is part
 * of: what expires is then never what was set aside since.
 */
export async function setAside(
  { parts, job, reading: { signal } }: Pick<OperationRun, "parts" | "job" | "reading">,
  path: string,
): Promise<string | undefined> {
  const entry = await parts.nas.stat(path);
  if (entry?.kind !== "file") return undefined;
  const { tenantId, fileName } = job.payload;
  const { store } = parts.andon;
  const expiresAt = store.clock.now() + parts.settings.trashKeep;
  const folder = `${job.id}-${expiresAt}`;
  const aside = trashPath(tenantId, folder, fileName);
  await store.transaction("set-aside", async (tx) => {
    await tx.query(
      `insert into vault_set_aside (job_id, tenant_id, path, expires_at) values ($1, $2, $3, $4)
on conflict (job_id) do nothing`,
      [folder, tenantId, aside, expiresAt],
    );
  });
  await parts.nas.move(path, aside, { size: entry.size }, signal);
  return aside;
}

/** Which of these paths of the NAS hold what was set aside. */
export async function pathsSetAside(
  rows: Pick<Tx, "query">,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  // The folder of such a path is called by its operation and time, and those are what the table finds.
  const folders = new Set(paths.map((path) => path.split("/").at(-2)).filter((name) => name !== undefined));
  if (folders.size === 0) return new Set();
  const { list, params } = inList([...folders], 0);
  const found = await rows.query<{ path: string }>(
    `select path from vault_set_aside where job_id in (${list})`,
    params,
  );
  return new Set(found.map(({ path }) => path));
}
