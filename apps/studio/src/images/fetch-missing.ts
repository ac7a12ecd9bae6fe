import { shownAddress } from "@andon/contract";
import type { PhaseRun } from "../phases/executor.ts";
import type { StudioContext } from "../studio-context.ts";
import { logText } from "../tasks/log-lines.ts";
import { checkedImage } from "./check-image.ts";
import { fetchImage } from "./fetch-image.ts";
import { type ImageRow, listImages, type StoredImage } from "./image-rows.ts";

type Run = Pick<PhaseRun, "task" | "fence" | "signal" | "log">;

/** Fetches the images of a task that have only a URL. An image that cannot be fetched fails the phase. */
export async function fetchMissing(context: StudioContext, run: Run): Promise<StoredImage[]> {
  const { store } = context.andon;
  const { taskId } = run.task;
  for (const image of await listImages(store, taskId))
    if (image.file === null && image.url !== null) await fetchOne(context, run, image, image.url);
  const images = await listImages(store, taskId);
  return images.filter((image): image is StoredImage => image.file !== null);
}

async function fetchOne({ andon, files, settings }: StudioContext, run: Run, image: ImageRow, url: string) {
  const { task, fence, signal, log } = run;
  const { largest, timeout, allowPrivateTargets } = settings.images;
  const reach = { private: allowPrivateTargets, loopback: allowPrivateTargets };
  const bytes = await fetchImage(url, { largest, timeout, reach }, signal);
  const { mimeType, extension } = checkedImage(bytes, shownAddress(url));
  const file = files.key(task.taskId, "made", `image-${image.number}-${fence}.${extension}`);
  await files.putBytes(file, bytes, { fence: `${task.taskId}-${fence}`, signal });
  await andon.transaction((tx) =>
    tx.query(
      "update task_image set file = $3, mime_type = $4, size = $5 where task_id = $1 and number = $2",
      [task.taskId, image.number, file, mimeType, bytes.length],
    ),
  );
  await log(logText("IMAGE_FETCHED", { url: shownAddress(url), size: bytes.length }));
}
