import { createReadStream, createWriteStream } from "node:fs";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { Unretryable } from "@andon/engine";
import { inWorkFolder } from "../files/work-folder.ts";
import { fetchMissing } from "../images/fetch-missing.ts";
import type { StoredImage } from "../images/image-rows.ts";
import type { Executor, PhaseRun } from "../phases/executor.ts";
import { scenesOf } from "../script/scenes.ts";
import type { StudioContext } from "../studio-context.ts";
import { logText } from "../tasks/log-lines.ts";
import { runFfmpeg } from "./ffmpeg.ts";
import type { Film } from "./film.ts";
import { type FilmPlan, filtersOf, planFilm, soundFiltersOf } from "./film-plan.ts";
import { type FilmFacts, probeFilm } from "./probe-film.ts";
import { speak, speechFile } from "./speech.ts";
import { assOf, srtOf } from "./subtitles.ts";

const FILM = "film.mp4";
/** Each image is decoded as its detected type, even if its bytes could be read as another type. */
const DEMUXERS: Readonly<Record<string, string>> = {
  "image/png": "png_pipe",
  "image/jpeg": "jpeg_pipe",
  "image/webp": "webp_pipe",
  "image/gif": "gif",
};
const LANGUAGE_CODES = { ko: "kor", en: "eng" } as const;
/** The allowed difference, because containers round times. */
const SECONDS_OFF = 1;

/** Renders the film of a task from its script and images. */
export function videoExecutor(context: StudioContext): Executor {
  return (run) =>
    inWorkFolder(context, run, async (folder): Promise<Film> => {
      const { settings, files } = context;
      const { task, signal, fence, log } = run;
      const images = await fetchMissing(context, run);
      if (images.length === 0) throw new Unretryable("the task has no images");
      const paths = await bringImages(context, images, folder, signal);
      const scenes = scenesOf(run.job, task);
      const speech = task.speech
        ? await speak(settings.video.espeak, scenes, task.language, { folder, signal })
        : undefined;
      const plan = planFilm(scenes, images.length, settings.video, task.language, speech);
      await log(logText("RENDERING", { scenes: plan.scenes.length, seconds: plan.seconds.toFixed(1) }));
      await render(context, run, folder, plan, paths);
      const facts = await probeFilm(settings.video, FILM, { folder, signal });
      checkFilm(facts, plan, settings.video, task.speech);
      const { size } = await stat(join(folder, FILM));
      const file = files.key(task.taskId, "made", `film-${fence}.mp4`);
      const { sha256 } = await files.put(file, createReadStream(join(folder, FILM)), {
        fence: `${task.taskId}-${fence}`,
        signal,
      });
      return { ...facts, file, size, sha256 };
    });
}

interface ImagePath {
  readonly name: string;
  readonly demuxer: string;
}

async function bringImages(
  { files }: StudioContext,
  images: readonly StoredImage[],
  folder: string,
  signal: AbortSignal,
): Promise<ImagePath[]> {
  const paths: ImagePath[] = [];
  for (const { number, file, mimeType } of images) {
    const name = `image-${number}`;
    const { stream } = await files.get(file, { signal });
    await pipeline(stream, createWriteStream(join(folder, name)), { signal });
    paths.push({ name, demuxer: DEMUXERS[mimeType ?? ""] ?? "png_pipe" });
  }
  return paths;
}

async function render(
  { settings }: StudioContext,
  { task, signal, progress }: PhaseRun,
  folder: string,
  plan: FilmPlan,
  images: readonly ImagePath[],
): Promise<void> {
  const { video } = settings;
  await writeFile(join(folder, "film.srt"), srtOf(plan.captions));
  await writeFile(join(folder, "film.ass"), assOf(plan.captions, video));
  const pictures = plan.scenes.flatMap(({ image }) => {
    const { name, demuxer } = images[image] as ImagePath;
    return ["-protocol_whitelist", "file", "-f", demuxer, "-i", name];
  });
  const count = plan.scenes.length;
  const speech = task.speech ? plan.scenes.flatMap((_, index) => ["-i", speechFile(index)]) : [];
  const subtitles = count + (task.speech ? count : 0);
  const filters = task.speech
    ? `${filtersOf(plan, video)};${soundFiltersOf(plan, count)}`
    : filtersOf(plan, video);
  await writeFile(join(folder, "filters.txt"), filters);
  const sound = task.speech ? ["-map", "[sound]", "-c:a", "aac", "-b:a", "128k"] : [];
  await runFfmpeg(
    video,
    [
      ...pictures,
      ...speech,
      ...["-f", "srt", "-i", "film.srt"],
      ...["-filter_complex_script", "filters.txt", "-map", "[film]", ...sound, "-map", `${subtitles}:s`],
      ...["-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-pix_fmt", "yuv420p", "-c:s", "mov_text"],
      ...[`-metadata:s:s:0`, `language=${LANGUAGE_CODES[task.language]}`, "-metadata", `title=${task.title}`],
      ...["-t", plan.seconds.toFixed(3), "-movflags", "+faststart", FILM],
    ],
    { folder, signal, onSeconds: (seconds) => progress(seconds / plan.seconds) },
  );
}

/** A program that was stopped early or lacked something may leave a playable file. This checks that the film is complete. */
function checkFilm(
  facts: FilmFacts,
  plan: FilmPlan,
  { width, height }: { width: number; height: number },
  isSpoken: boolean,
): void {
  const problems = [
    Math.abs(facts.seconds - plan.seconds) > SECONDS_OFF &&
      `it has ${facts.seconds} s instead of ${plan.seconds}`,
    (facts.width !== width || facts.height !== height) && `it is ${facts.width}x${facts.height}`,
    !facts.hasSubtitles && "it has no subtitles",
    isSpoken && !facts.hasSound && "it has no sound",
  ].filter((problem) => problem !== false);
  if (problems.length > 0) throw new Error(`ffprobe refuses the film: ${problems.join(", ")}`);
}
