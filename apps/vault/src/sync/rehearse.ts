import {
  filledIn,
  type Job,
  type Language,
  type RehearsalCheck,
  type RehearsalQuestions,
} from "@andon/contract";
import type { SyncOperation } from "../contract/routes.ts";
import type { VaultContext } from "../vault-context.ts";
import { isSuperseded, type SyncJob } from "./file-operations.ts";
import { hasBytes, type ReadOptions } from "./inspect-nas-path.ts";
import { isAnothers, locateOnNas } from "./locate-on-nas.ts";
import { OPERATIONS } from "./operations.ts";
import { nasObject } from "./storage-object.ts";
import { syncPayloadOf } from "./sync-job.ts";

const DETAILS = {
  strange: { en: "it is not a file operation", ko: "파일 작업이 아닙니다" },
  superseded: {
    en: "a later operation of the file is done: it ends without moving anything",
    ko: "이 파일의 뒤 작업이 이미 끝났습니다. 아무것도 옮기지 않고 끝납니다",
  },
  current: {
    en: "no later operation of the file is done",
    ko: "이 파일의 뒤 작업 중 먼저 끝난 것이 없습니다",
  },
  onNas: { en: "on the NAS at /{path}", ko: "NAS의 /{path}에 있습니다" },
  atTarget: { en: "already at its target", ko: "이미 목적지에 있습니다" },
  cached: { en: "in the cache", ko: "캐시에 있습니다" },
  after: { en: "an earlier operation brings it to /{path}", ko: "앞선 작업이 /{path}(으)로 가져옵니다" },
  missing: { en: "neither in the cache nor on the NAS", ko: "캐시에도 NAS에도 없습니다" },
  changed: { en: "/{path} was changed on the NAS", ko: "NAS의 /{path} 내용이 바뀌었습니다" },
  removed: { en: "what is left of it is removed", ko: "남아 있으면 지웁니다" },
  free: { en: "/{path} is free", ko: "/{path} 경로가 비어 있습니다" },
  leaves: { en: "/{path} becomes free before", ko: "/{path} 경로는 그 전에 비게 됩니다" },
  quarantined: { en: "what is at /{path} is quarantined", ko: "/{path}에 있는 것은 격리됩니다" },
  taken: { en: "something else is at /{path}", ko: "/{path}에 다른 것이 있습니다" },
} as const;

interface Asked {
  readonly vault: VaultContext;
  readonly job: SyncJob;
  readonly before: readonly Job[];
  readonly readOptions: ReadOptions;
  readonly say: (detail: keyof typeof DETAILS, path?: string) => string;
}

/**
 * Checks whether the NAS is reachable and the known one, and for each operation whether its bytes exist and its target
 * is free.
 */
export function syncRehearsal(vault: VaultContext): RehearsalQuestions {
  return {
    destination: async ({ language }) => {
      const health = await vault.nas.health();
      return health.ok ? null : health.problem.in(language);
    },
    check: async (job, { before, language, signal }) => {
      const say = (detail: keyof typeof DETAILS, path = "") => sentence(detail, path, language);
      if (!syncPayloadOf(job) || !OPERATIONS[job.name as SyncOperation])
        return [{ name: "operation", ok: false, detail: say("strange") }];
      return checksOf({ vault, job: job as SyncJob, before, readOptions: { signal }, say });
    },
  };
}

function sentence(detail: keyof typeof DETAILS, path: string, language: Language): string {
  return filledIn(DETAILS[detail][language], { path });
}

async function checksOf(asked: Asked): Promise<RehearsalCheck[]> {
  const { vault, job, say } = asked;
  // A superseded operation succeeds, so it is reported as fine. One that waits for its first attempt cannot be
  // superseded.
  if (job.startedAt !== null && (await isSuperseded(vault.andon, job)))
    return [{ name: "superseded", ok: true, detail: say("superseded") }];
  const current = { name: "superseded", ok: true, detail: say("current") };
  const { targetPath } = job.payload;
  if (targetPath === null) return [current, { name: "file-present", ok: true, detail: say("removed") }];
  const source = await sourceOf(asked, targetPath);
  const file: RehearsalCheck = { name: "file-present", ok: source.ok, detail: source.detail };
  return [current, file, { name: "path-free", ...(await targetOf(asked, targetPath, source.from)) }];
}

interface Found {
  readonly ok: boolean;
  readonly detail: string;
}

/** Where the bytes would come from; `from` is a path of the NAS. */
async function sourceOf(asked: Asked, target: string): Promise<Found & { from?: string }> {
  const { vault, job, before, say } = asked;
  const { fileId, size } = job.payload;
  const earlier = before.map(syncPayloadOf).findLast((payload) => payload?.fileId === fileId);
  if (earlier?.targetPath)
    return { ok: true, detail: say("after", earlier.targetPath), from: earlier.targetPath };
  const object = await nasObject(vault.andon.store, fileId);
  const from = await locateOnNas(asked, object, target);
  if (from !== undefined) {
    const isWhole = (await vault.nas.stat(from))?.size === size;
    return { ok: isWhole, detail: say(isWhole ? "onNas" : "changed", from), from };
  }
  if (object.cachePath !== null && (await vault.cache.stat(object.cachePath)))
    return { ok: true, detail: say("cached") };
  const isThere = await hasBytes(vault.nas, target, job.payload, asked.readOptions);
  return { ok: isThere, detail: say(isThere ? "atTarget" : "missing") };
}

/** Whether the bytes can be put at the target after the operations before have run. */
async function targetOf(asked: Asked, target: string, from: string | undefined): Promise<Found> {
  const { vault, job, before, readOptions, say } = asked;
  const entry = await vault.nas.stat(target);
  if (!entry) return { ok: true, detail: say("free", target) };
  const leaving = before.map(syncPayloadOf).findLast((payload) => payload?.sourcePath === target);
  if (leaving && leaving.targetPath !== target) return { ok: true, detail: say("leaves", target) };
  if (await hasBytes(vault.nas, target, job.payload, readOptions)) {
    // A move removes the other copy only if neither path belongs to another file.
    const isOurs = from === undefined || !(await isAnothers(vault.andon, target, job.payload.fileId));
    return { ok: isOurs, detail: say(isOurs ? "atTarget" : "taken", target) };
  }
  const isCleared = from === undefined && job.payload.replaces === true && entry.kind === "file";
  return { ok: isCleared, detail: say(isCleared ? "quarantined" : "taken", target) };
}
