import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inWorkFolder } from "../files/work-folder.ts";
import type { PhaseRun } from "../phases/executor.ts";
import { scenesOf } from "../script/scenes.ts";
import type { StudioContext } from "../studio-context.ts";
import { runFfmpeg } from "../video/ffmpeg.ts";
import { titleCard } from "../video/subtitles.ts";
import { addImage } from "./image-rows.ts";

/** Colours of the cards, in turn. */
const COLOURS = ["0x1f3a5f", "0x3b2f4a", "0x1f4d40", "0x5a3a22", "0x3d3d46"];

/** Creates an image for each scene: its text, or the title for the first one, on a plain background. */
export async function makeTitleCards(context: StudioContext, run: PhaseRun): Promise<number> {
  const { settings, files, andon } = context;
  const { width, height, font } = settings.video;
  const { task, fence, signal, progress } = run;
  const scenes = scenesOf(run.job, task);
  const made: { file: string; size: number }[] = [];
  await inWorkFolder(context, run, async (folder) => {
    for (const [index, scene] of scenes.entries()) {
      const text = index === 0 ? task.title : scene.text;
      await writeFile(join(folder, "card.ass"), titleCard(text, { width, height, font }));
      const name = `card-${index + 1}.png`;
      const source = `color=c=${COLOURS[index % COLOURS.length]}:s=${width}x${height}`;
      await runFfmpeg(
        settings.video,
        ["-f", "lavfi", "-i", source, "-vf", "subtitles=card.ass", "-frames:v", "1", name],
        { folder, signal },
      );
      const file = files.key(task.taskId, "made", `card-${index + 1}-${fence}.png`);
      const bytes = await readFile(join(folder, name));
      await files.putBytes(file, bytes, { fence: `${task.taskId}-${fence}`, signal });
      made.push({ file, size: bytes.length });
      progress((index + 1) / scenes.length);
    }
  });
  const now = andon.store.clock.now();
  await andon.transaction(async (tx) => {
    await tx.query("delete from task_image where task_id = $1 and source = 'title'", [task.taskId]);
    for (const [index, { file, size }] of made.entries())
      await addImage(
        tx,
        task.taskId,
        { source: "title", name: `card-${index + 1}.png`, file, mimeType: "image/png", size },
        now,
      );
  });
  return made.length;
}
