import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Check, CheckInput, Finding, Localized } from "@andon/cli/app";
import type { StudioSettings } from "../contract/settings.ts";
import { TASK } from "./i18n.ts";

const execute = promisify(execFile);
const LONGEST_MS = 5_000;

/**
 * Undefined if the app is not installed, the settings are invalid, or the answering server uses other settings than these.
 */
function videoOf({ settings, isOurStore }: CheckInput): StudioSettings["video"] | undefined {
  if (!isOurStore || !settings?.apps.some(({ name }) => name === "studio")) return undefined;
  return (settings.ofApps as { studio?: StudioSettings }).studio?.video;
}

interface Program {
  readonly setting: "ffmpeg" | "ffprobe" | "espeak";
  readonly version: string;
  readonly without: Localized;
  readonly todo: Localized;
}

/**
 * Checks that a program for films starts, and says how to install it. A missing program is a warning: everything but films
 * works.
 */
function programCheck({ setting, version, without, todo }: Program): Check {
  return {
    name: setting === "espeak" ? "espeak-ng" : setting,
    async run(input): Promise<readonly Finding[]> {
      const program = videoOf(input)?.[setting];
      if (program === undefined) return [];
      const key = `studio.video.${setting}`;
      try {
        const { stdout } = await execute(program, [version], { timeout: LONGEST_MS, encoding: "utf8" });
        const first = stdout.split("\n")[0]?.trim() ?? "";
        return [{ level: "ok", what: TASK.programGood, facts: { program, version: first } }];
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code === "ENOENT")
          return [
            {
              level: "warn",
              what: TASK.programMissing,
              facts: { program, what: without[input.language], setting: key },
              todo,
            },
          ];
        const problem = message.split("\n")[0] ?? "?";
        return [{ level: "warn", what: TASK.programBroken, facts: { program, problem, setting: key }, todo }];
      }
    },
  };
}

export const ffmpeg = programCheck({
  setting: "ffmpeg",
  version: "-version",
  without: TASK.withoutFfmpeg,
  todo: TASK.ffmpegTodo,
});

export const ffprobe = programCheck({
  setting: "ffprobe",
  version: "-version",
  without: TASK.withoutFfprobe,
  todo: TASK.ffmpegTodo,
});

/** Needed only for tasks with speech. */
export const espeak = programCheck({
  setting: "espeak",
  version: "--version",
  without: TASK.withoutEspeak,
  todo: TASK.espeakTodo,
});

/** If the configured font is missing, ffmpeg silently uses another one. */
export const fonts: Check = {
  name: "fonts",
  async run(input) {
    const font = videoOf(input)?.font;
    if (font === undefined) return [];
    const used = await matchedFont(font);
    // Without fontconfig the font cannot be checked; ffmpeg then uses the system's fonts.
    if (used === undefined) return [];
    if (used.toLowerCase().includes(font.toLowerCase()))
      return [{ level: "ok", what: TASK.fontGood, facts: { font } }];
    const korean = await matchedFont(":lang=ko");
    const what = korean === undefined || korean === "" ? TASK.noKoreanFont : TASK.fontMissing;
    return [{ level: "warn", what, facts: { font, used }, todo: TASK.fontTodo }];
  },
};

async function matchedFont(pattern: string): Promise<string | undefined> {
  try {
    const { stdout } = await execute("fc-match", ["-f", "%{family}", pattern], {
      timeout: LONGEST_MS,
      encoding: "utf8",
    });
    return stdout.trim();
  } catch {
    return undefined;
  }
}
