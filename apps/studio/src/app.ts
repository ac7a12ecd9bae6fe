import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type App, type AppHost, type AppSite, defineApp } from "@andon/app";
import { openStorage, type Storage } from "@andon/storage";
import { STUDIO_ALERTS } from "./contract/alerts.ts";
import { STUDIO_ERRORS } from "./contract/errors.ts";
import { STUDIO_PERMISSIONS } from "./contract/permissions.ts";
import { STUDIO_ROUTES } from "./contract/routes.ts";
import { STUDIO_SETTINGS, type StudioSettings } from "./contract/settings.ts";
import { cleanupQueue } from "./files/cleanup-queue.ts";
import { TaskFiles } from "./files/task-files.ts";
import { removeLeftovers } from "./files/work-folder.ts";
import { imageExecutor } from "./images/image-executor.ts";
import type { Executor, Executors } from "./phases/executor.ts";
import { type Phase, phasesOf } from "./phases/phase-list.ts";
import { taskQueue } from "./phases/task-queue.ts";
import { scriptExecutor } from "./script/script-executor.ts";
import { CLEANUP_QUEUE, type StudioContext, TASK_QUEUE } from "./studio-context.ts";
import { forgetPurgedTasks } from "./tasks/forget-task.ts";
import { serveTasks } from "./tasks/serve-tasks.ts";
import { TaskDecisions } from "./tasks/task-decisions.ts";
import { mergeTallies } from "./tasks/task-tally.ts";
import { filmParts } from "./video/readiness.ts";
import { videoExecutor } from "./video/video-executor.ts";
import { youtubeExecutor } from "./youtube/youtube-executor.ts";

/** Options for a program that mounts this app itself. */
export interface StudioOptions {
  /** Executors in addition to the app's own, or replacing them, by name. `studio.phases` may name them. */
  readonly executors?: Executors;
}

interface Opened {
  readonly host: AppHost;
  readonly settings: StudioSettings;
  readonly phases: readonly Phase[];
  readonly storage: Storage;
  readonly workFolder: string;
}

const OWN_EXECUTORS = ["schedule", "script", "image", "video", "youtube"] as const;
const LEFTOVERS_EVERY_MS = 600_000;

/** Films from a title. Each host needs its own value, because the value holds the host's files. */
export function studioApp(options: StudioOptions = {}): App<typeof STUDIO_ROUTES> {
  let opened: Opened | undefined;
  let decisions: TaskDecisions | undefined;
  const contextOf = (site: AppSite): StudioContext => {
    const { settings, phases, storage, workFolder, host } = isOpen(opened);
    return { ...site, settings, phases, files: new TaskFiles(storage), workFolder, log: host.log };
  };
  const decisionsOf = (site: AppSite): TaskDecisions => {
    decisions ??= new TaskDecisions(contextOf(site));
    return decisions;
  };
  return defineApp({
    name: "studio",
    settings: STUDIO_SETTINGS,
    migrations: new URL("../migrations/", import.meta.url),
    permissions: STUDIO_PERMISSIONS,
    errors: STUDIO_ERRORS,
    alerts: STUDIO_ALERTS,
    async open(host) {
      opened = await openParts(options, host);
    },
    async close() {
      await opened?.storage.close();
    },
    queues: (site) => {
      const context = contextOf(site);
      const { andon } = site;
      andon.addDuty("studio", async () => {
        await forgetPurgedTasks(context, andon.store);
        await mergeTallies(andon.store);
      });
      const executors = { ...executorsOf(context, isOpen(opened).host.data), ...options.executors };
      return {
        [TASK_QUEUE]: taskQueue(context, executors, decisionsOf(site)),
        [CLEANUP_QUEUE]: cleanupQueue(context.files),
      };
    },
    routes: STUDIO_ROUTES,
    serve: (site) => ({ tasks: serveTasks(contextOf(site), decisionsOf(site)) }),
    ready: async () => {
      const { settings, phases, host, storage } = isOpen(opened);
      const health = await storage.health();
      const files = health.ok
        ? { name: "studio-files", ok: true, problem: null }
        : { name: "studio-files", ok: false, problem: health.problem.in(host.language) };
      const rendersHere = phases.some(({ executor }) => executor === "video");
      return [files, ...(rendersHere ? await filmParts(settings, host.language) : [])];
    },
    tasks: [{ role: "work", run: (site, signal) => keepWorkFolderClean(contextOf(site), signal) }],
  });
}

function isOpen(opened: Opened | undefined): Opened {
  if (!opened) throw new Error("the app studio is not open");
  return opened;
}

async function openParts({ executors }: StudioOptions, host: AppHost): Promise<Opened> {
  const settings = host.settings.studio as StudioSettings;
  const phases = phasesOf(settings, [...new Set([...OWN_EXECUTORS, ...Object.keys(executors ?? {})])]);
  const workFolder = resolve(host.data, "studio-work");
  await mkdir(workFolder, { recursive: true });
  const storage = await openStorage(settings.files ?? `file:${join(host.data, "studio")}`);
  return { host, settings, phases, storage, workFolder };
}

/** Does nothing: the engine does not start a task before its scheduled time. */
const scheduleExecutor: Executor = async () => ({});

function executorsOf(context: StudioContext, data: string): Record<(typeof OWN_EXECUTORS)[number], Executor> {
  return {
    schedule: scheduleExecutor,
    script: scriptExecutor(context.settings),
    image: imageExecutor(context),
    video: videoExecutor(context),
    youtube: youtubeExecutor(context, data),
  };
}

/** Removes the files that killed processes left in the work folder, at the start and at intervals. */
async function keepWorkFolderClean(context: StudioContext, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await removeLeftovers(context).catch((error: unknown) =>
      context.log.warn({ error: String(error) }, "leftovers of films could not be removed"),
    );
    await wait(LEFTOVERS_EVERY_MS, undefined, { signal, ref: false }).catch(() => {});
  }
}
