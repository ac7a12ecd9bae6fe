import { Accepted, Bytes, type ServeAll } from "@andon/app";
import { AndonError, withDecision } from "@andon/contract";
import { StudioError } from "../contract/errors.ts";
import type { STUDIO_ROUTES } from "../contract/routes.ts";
import { asAnswer } from "../files/task-files.ts";
import { addImageUrls, uploadImages } from "../images/add-images.ts";
import { listImages, shownImage } from "../images/image-rows.ts";
import { languageOfText } from "../script/language-of.ts";
import { decisionOf, ownerOf, type StudioContext, scopeOf } from "../studio-context.ts";
import { filmIn } from "../video/film.ts";
import { createTask } from "./create-task.ts";
import { countTasks, listTasks } from "./list-tasks.ts";
import { madeBy, showTask } from "./show-task.ts";
import type { TaskDecisions } from "./task-decisions.ts";
import { findTask, readTaskStatus } from "./task-rows.ts";

export function serveTasks(
  context: StudioContext,
  decisions: TaskDecisions,
): ServeAll<typeof STUDIO_ROUTES>["tasks"] {
  const { andon, once } = context;
  const { store } = andon;

  const withImages = async (taskId: string) => ({
    ...(await readTaskStatus(store, taskId)),
    images: (await listImages(store, taskId)).map(shownImage),
  });

  return {
    create: async (call) => {
      const { body } = call;
      const now = store.clock.now();
      const task = {
        ...ownerOf(call),
        title: body.title,
        userId: body.userId ?? call.principal.actor,
        prompt: body.prompt ?? null,
        script: body.script ?? null,
        language: body.language ?? languageOfText(`${body.title} ${body.prompt ?? ""} ${body.script ?? ""}`),
        imageSource: body.imageSource ?? "upload",
        speech: body.speech ?? false,
        priority: body.priority ?? 0,
        scheduledTime: body.scheduledTime === undefined ? now : Date.parse(body.scheduledTime),
        images: body.images ?? [],
        traceId: call.traceId,
      };
      const request = { route: "tasks.create", fingerprint: JSON.stringify(body) };
      return once(call, request, (tx) => createTask(tx, context, task, now));
    },
    list: (call) => listTasks(context, scopeOf(call), call.query, call.language),
    counts: (call) => countTasks(context, scopeOf(call)),
    show: (call) => showTask(context, scopeOf(call), call.params.id, call.language),
    retry: async (call) => {
      const { force = false, reason } = call.body;
      if (force && !call.principal.permissions.includes("admin"))
        throw new AndonError("FORBIDDEN", { permission: "admin" });
      return decisions.retry(call.params.id, decisionOf(call, reason), scopeOf(call), { force });
    },
    cancel: async (call) => {
      const decision = decisionOf(call, call.body.reason);
      const { held, ...task } = await decisions.cancel(call.params.id, decision, scopeOf(call));
      return held ? new Accepted({ ...task, ...withDecision(held) }) : task;
    },
    remove: async (call) => {
      const { id } = call.params;
      await decisions.remove(id, decisionOf(call, call.query.reason), scopeOf(call));
      return { success: true, taskId: id };
    },
    addImages: async (call) => {
      const task = await findTask(store, scopeOf(call), call.params.id);
      if (call.body === undefined) {
        await uploadImages(context, task, call);
        return withImages(task.taskId);
      }
      await addImageUrls(context, task, call.body.urls);
      return new Accepted(await withImages(task.taskId));
    },
    image: async (call) => {
      const { taskId } = await findTask(store, scopeOf(call), call.params.id);
      const { number } = call.params;
      const image = (await listImages(store, taskId)).find((row) => row.number === number);
      const { file, size, mimeType, name } = image ?? {};
      if (!file || typeof size !== "number") throw new StudioError("TASK_IMAGE_NOT_FOUND", { number });
      return bytesOf(context, {
        file,
        size,
        mimeType: mimeType ?? "application/octet-stream",
        fileName: name ?? "image",
        tag: file,
      });
    },
    video: async (call) => {
      const { taskId, title, state } = await findTask(store, scopeOf(call), call.params.id);
      const [job] = await andon.reading.jobs([taskId]);
      const film = job && filmIn(madeBy(job));
      if (!film || state === "cancelled") throw new StudioError("TASK_VIDEO_NOT_READY");
      const { file, size, sha256 } = film;
      return bytesOf(context, {
        file,
        size,
        mimeType: "video/mp4",
        fileName: `${title.slice(0, 100)}.mp4`,
        tag: sha256,
      });
    },
  };
}

function bytesOf(
  { files }: StudioContext,
  { file, ...facts }: Pick<Bytes, "size" | "mimeType" | "fileName" | "tag"> & { file: string },
): Bytes {
  return new Bytes({
    ...facts,
    open: (part) =>
      asAnswer(async () => {
        const range = part ? { range: { start: part.start, end: part.end + 1 } } : {};
        return (await files.get(file, range)).stream;
      }),
  });
}
