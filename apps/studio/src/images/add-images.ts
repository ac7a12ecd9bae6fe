import type { Call } from "@andon/app";
import { AndonError } from "@andon/contract";
import { newId } from "@andon/engine";
import { StudioError } from "../contract/errors.ts";
import { asAnswer } from "../files/task-files.ts";
import type { Phase } from "../phases/phase-list.ts";
import type { StudioContext } from "../studio-context.ts";
import { logText } from "../tasks/log-lines.ts";
import { writeLog } from "../tasks/task-log.ts";
import { readTaskStatus, statusOf, type TaskRow } from "../tasks/task-rows.ts";
import { checkedImage, readAtMost } from "./check-image.ts";
import { addImage, addUrls, type ImageRow, listImages } from "./image-rows.ts";

/** The event that the image phase of a task waits for. */
export const imagesArrived = (taskId: string) => `studio.images:${taskId}`;

type NewImage = Pick<ImageRow, "source" | "name" | "file" | "mimeType" | "size">;

/**
 * Stores uploaded images: the bytes first, then their rows and the arrival in one transaction. A refused or interrupted
 * upload leaves no files, because its task may have been deleted meanwhile and nothing else would remove them.
 */
export async function uploadImages(
  context: StudioContext,
  task: TaskRow,
  call: Pick<Call, "parts" | "signal">,
): Promise<void> {
  refuseLate(context, task);
  const stored: string[] = [];
  try {
    await storeAndAdd(context, task, call, stored);
  } catch (error) {
    await discardUnnamed(context, task.taskId, stored).catch((problem: unknown) => {
      context.log.warn({ taskId: task.taskId, error: String(problem) }, "a refused upload left files behind");
    });
    throw error;
  }
}

/** Discards files without a row. The rows decide, because a commit may have succeeded even if its answer was lost. */
async function discardUnnamed(
  { andon, files }: StudioContext,
  taskId: string,
  stored: readonly string[],
): Promise<void> {
  const named = new Set((await listImages(andon.store, taskId)).map(({ file }) => file));
  const unnamed = stored.filter((file) => !named.has(file));
  await files.discard(taskId, "uploads", unnamed);
}

/** `stored`: the files that are written, or about to be. */
async function storeAndAdd(
  context: StudioContext,
  task: TaskRow,
  call: Pick<Call, "parts" | "signal">,
  stored: string[],
): Promise<void> {
  const { files, settings } = context;
  const { largest, most } = settings.images;
  const upload = newId(context.andon.store.clock.now());
  const images: NewImage[] = [];
  for await (const part of call.parts()) {
    if (part.kind === "field" || part.name !== "images") throw unexpectedPart(part.name);
    if (images.length === most) throw new StudioError("TASK_IMAGES_TOO_MANY", { most });
    const name = storableName(part.fileName) || `image-${images.length + 1}`;
    const bytes = await readAtMost(part.stream, largest, name);
    const { mimeType, extension } = checkedImage(bytes, name);
    const file = files.key(task.taskId, "uploads", `${upload}-${images.length + 1}.${extension}`);
    stored.push(file);
    await asAnswer(() => files.putBytes(file, bytes, { fence: `${upload}-0`, signal: call.signal }));
    images.push({ source: "upload", name, file, mimeType, size: bytes.length });
  }
  if (images.length === 0) throw unexpectedPart("images");
  await addToTask(context, task, images.length, async (tx, now) => {
    for (const image of images) await addImage(tx, task.taskId, image, now);
  });
}

const LONGEST_NAME = 255;

/** The name is only displayed: the names of the files come from the upload's id. */
function storableName(given: string): string {
  return given.replaceAll("\u0000", "").trim().slice(0, LONGEST_NAME).toWellFormed();
}

/** Adds URLs of images, such as the results of a crawl. The image phase fetches them. */
export async function addImageUrls(
  context: StudioContext,
  task: TaskRow,
  urls: readonly string[],
): Promise<void> {
  refuseLate(context, task);
  await addToTask(context, task, urls.length, (tx, now) => addUrls(tx, task.taskId, urls, now));
}

type Write = (tx: Parameters<typeof addImage>[0], now: number) => Promise<void>;

async function addToTask(context: StudioContext, task: TaskRow, count: number, write: Write): Promise<void> {
  const { andon, settings } = context;
  const { taskId } = task;
  const now = andon.store.clock.now();
  const types = openTypes(context.phases);
  await andon.transaction(async (tx) => {
    // The update locks the row until the commit, so the phase cannot end meanwhile.
    const [open] = await tx.query<{ type: string; state: string }>(
      `update task set images_changed = images_changed + 1 where task_id = $1 and state in ('open', 'failed')
         and type in (${types.map((_, index) => `$${index + 2}`).join(", ")}) returning type, state`,
      [taskId, ...types],
    );
    if (!open) throw await lateError(context, taskId);
    // URLs that could not be fetched failed the phase; the new images replace them.
    if (open.state === "failed" && open.type === imagePhase(context.phases)?.name)
      await tx.query("delete from task_image where task_id = $1 and source = 'url' and file is null", [
        taskId,
      ]);
    const before = (await listImages(tx, taskId)).length;
    if (before + count > settings.images.most)
      throw new StudioError("TASK_IMAGES_TOO_MANY", { most: settings.images.most });
    await write(tx, now);
    await writeLog(tx, taskId, {
      at: now,
      type: open.type,
      level: "info",
      ...logText("IMAGES_ADDED", { count }),
    });
    await andon.arrive(imagesArrived(taskId), { count }, { tx });
  });
}

function imagePhase(phases: readonly Phase[]): Phase | undefined {
  return phases.find(({ executor }) => executor === "image");
}

/** Phases up to the one that takes images. */
function openTypes(phases: readonly Phase[]): string[] {
  const last = phases.findIndex(({ executor }) => executor === "image");
  return phases.slice(0, last + 1).map(({ name }) => name);
}

/** A check before the upload is read; the transaction repeats it. */
function refuseLate({ phases }: StudioContext, { type, state }: TaskRow): void {
  const isOpen = (state === "open" || state === "failed") && openTypes(phases).includes(type);
  if (!isOpen) throw stateError(type, statusOf(state, false));
}

async function lateError({ andon }: StudioContext, taskId: string): Promise<StudioError> {
  const { type, status } = await readTaskStatus(andon.store, taskId);
  return stateError(type, status);
}

function stateError(type: string, status: string): StudioError {
  return new StudioError("TASK_STATE", { type, status, action: "images" });
}

function unexpectedPart(field: string): AndonError {
  const message = {
    en: "files in fields `images`, at least one",
    ko: "`images` 필드에 파일이 하나 이상 있어야 합니다",
  };
  return new AndonError("VALIDATION_FAILED", {
    problem: { en: `${field}: ${message.en}`, ko: `${field}: ${message.ko}` },
    fields: [{ in: "body", field, message }],
  });
}
