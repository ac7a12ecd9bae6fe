import type { Executor } from "../phases/executor.ts";
import type { StudioContext } from "../studio-context.ts";
import { logText } from "../tasks/log-lines.ts";
import { imagesArrived } from "./add-images.ts";
import { fetchMissing } from "./fetch-missing.ts";
import { listImages } from "./image-rows.ts";
import { makeTitleCards } from "./title-cards.ts";

/** Collects the images of a film. Without any image the task parks, and other tasks can run. */
export function imageExecutor(context: StudioContext): Executor {
  const { andon, settings } = context;
  return async (run) => {
    const { task, park, log } = run;
    const known = await listImages(andon.store, task.taskId);
    if (known.every(({ source }) => source === "title") && task.imageSource === "titles")
      return { source: "titles", images: await makeTitleCards(context, run) };
    if (known.length === 0) {
      await log(logText("WAITING_FOR_IMAGES"));
      park(imagesArrived(task.taskId), { until: andon.store.clock.now() + settings.imageWait });
    }
    const images = await fetchMissing(context, run);
    return { source: "upload", images: images.length };
  };
}
