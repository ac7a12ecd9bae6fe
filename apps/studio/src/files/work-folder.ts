import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { PhaseRun } from "../phases/executor.ts";
import type { StudioContext } from "../studio-context.ts";

type Context = Pick<StudioContext, "workFolder">;
type Run = Pick<PhaseRun, "task" | "fence">;

/** Gives work a folder on this machine until it ends. Removes what an earlier run of the task left. */
export async function inWorkFolder<T>(
  context: Context,
  { task, fence }: Run,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = join(context.workFolder, `${task.taskId}-${fence}`);
  await removeWork(context, task.taskId);
  await mkdir(folder, { recursive: true });
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function removeWork({ workFolder }: Context, taskId: string): Promise<void> {
  for (const name of await namesIn(workFolder))
    if (name.startsWith(`${taskId}-`)) await rm(join(workFolder, name), { recursive: true, force: true });
}

/** Removes what killed runs left, except for tasks that are at work. */
export async function removeLeftovers({
  andon,
  workFolder,
}: Pick<StudioContext, "andon" | "workFolder">): Promise<void> {
  const names = await namesIn(workFolder);
  const idOf = (name: string) => name.slice(0, name.lastIndexOf("-"));
  const jobs = await andon.reading.jobs([...new Set(names.map(idOf))]);
  const running = new Set(jobs.filter(({ state }) => state === "running").map(({ id }) => id));
  for (const name of names)
    if (!running.has(idOf(name))) await rm(join(workFolder, name), { recursive: true, force: true });
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
