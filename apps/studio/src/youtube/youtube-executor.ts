import { join } from "node:path";
import { Unretryable } from "@andon/engine";
import { openStorage } from "@andon/storage";
import type { StudioSettings } from "../contract/settings.ts";
import type { Executor, PhaseRun } from "../phases/executor.ts";
import { scenesOf } from "../script/scenes.ts";
import type { StudioContext } from "../studio-context.ts";
import { logText } from "../tasks/log-lines.ts";
import { type Film, filmIn } from "../video/film.ts";
import { AccessTokens } from "./access-token.ts";
import { uploadFilm } from "./resumable-upload.ts";

const LONGEST_TITLE = 100;
const LONGEST_DESCRIPTION = 4_900;

/** Publishes the film of a task on the configured channel, or in a folder if there is none. */
export function youtubeExecutor(context: StudioContext, data: string): Executor {
  const { settings, andon } = context;
  const { youtube } = settings;
  if (youtube.refreshToken === undefined) {
    const folder = youtube.folder ?? `file:${join(data, "published")}`;
    return (run) => publishInFolder(context, run, folder);
  }
  const now = () => andon.store.clock.now();
  return publishOnYoutube(context, youtube, new AccessTokens(youtube, now), now);
}

function publishOnYoutube(
  { files }: StudioContext,
  settings: StudioSettings["youtube"],
  tokens: AccessTokens,
  now: () => number,
): Executor {
  return async (run) => {
    const { task, job, signal, checkpoint, progress, log } = run;
    const film = filmOf(run);
    const kept = job.cursor as { session?: string; file?: string } | null;
    const session = kept?.file === film.file ? kept.session : undefined;
    if (session !== undefined) await log(logText("UPLOAD_CONTINUED"));
    const videoId = await uploadFilm(
      {
        // YouTube refuses titles with angle brackets.
        title: task.title.replace(/[<>]/g, "").slice(0, LONGEST_TITLE) || task.taskId,
        description: scenesOf(job, task)
          .map(({ text }) => text)
          .join("\n")
          .replace(/[<>]/g, "")
          .slice(0, LONGEST_DESCRIPTION),
        language: task.language,
        size: film.size,
        open: async (start, end) => (await files.get(film.file, { range: { start, end }, signal })).stream,
      },
      {
        settings,
        tokens,
        signal,
        session,
        keepSession: (uri) => checkpoint({ session: uri, file: film.file }),
        onProgress: progress,
        now,
      },
    );
    return { published: "youtube", videoId, url: `https://youtu.be/${videoId}` };
  };
}

async function publishInFolder({ files }: StudioContext, run: PhaseRun, url: string) {
  const { task, fence, signal, progress } = run;
  const film = filmOf(run);
  const folder = await openStorage(url);
  try {
    const name = `${fileNameOf(task.title)}-${task.taskId}.mp4`;
    const { stream } = await files.get(film.file, { signal });
    const temporary = `${task.taskId}-${fence}`;
    await folder.removeTemporaries(name, temporary);
    await folder.put(name, stream, {
      temporary,
      signal,
      size: film.size,
      sha256: film.sha256,
      onProgress: (bytes) => progress(bytes / film.size),
    });
    // A task that was cancelled meanwhile must publish nothing.
    if (signal.aborted) await folder.remove(name);
    signal.throwIfAborted();
    return { published: "folder", file: name };
  } finally {
    await folder.close();
  }
}

function filmOf({ job }: PhaseRun): Film {
  const film = filmIn(job.outputs);
  if (!film) throw new Unretryable("the task has no film");
  return film;
}

/** The letters and digits of a title, which every file system accepts. */
function fileNameOf(title: string): string {
  const name = title.normalize("NFC").replace(/[^\p{L}\p{N}]+/gu, "-");
  return name.replace(/^-|-$/g, "").slice(0, 60) || "film";
}
