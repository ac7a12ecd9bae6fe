import type { StudioSettings } from "../contract/settings.ts";
import { type ProgramOptions, runProgram } from "./run-program.ts";

type Options = Omit<ProgramOptions, "onLine"> & {
  /** Called with the number of seconds rendered so far. */
  readonly onSeconds?: (seconds: number) => void;
};

/**
 * Runs ffmpeg in a folder, so that its arguments are plain names: quotes and colons in a path would end a filter's option.
 */
export async function runFfmpeg(
  { ffmpeg }: Pick<StudioSettings["video"], "ffmpeg">,
  args: readonly string[],
  { folder, signal, onSeconds }: Options,
): Promise<void> {
  const quiet = ["-nostdin", "-hide_banner", "-loglevel", "error", "-y", "-progress", "pipe:1"];
  await runProgram(ffmpeg, [...quiet, ...args], {
    folder,
    signal,
    onLine: (line) => {
      const microseconds = /^out_time_us=(\d+)/.exec(line)?.[1];
      if (microseconds !== undefined) onSeconds?.(Number(microseconds) / 1_000_000);
    },
  });
}
