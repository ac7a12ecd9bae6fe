import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { ReadinessCheck } from "@andon/app";
import type { Language } from "@andon/contract";
import type { StudioSettings } from "../contract/settings.ts";
import { findProgram, missingTexts } from "./run-program.ts";

const run = promisify(execFile);

/** Whether this machine can render films. If not, the host is degraded, and tasks fail with instructions to fix it. */
export async function filmParts({ video }: StudioSettings, language: Language): Promise<ReadinessCheck[]> {
  const missing = [video.ffmpeg, video.ffprobe].find((program) => findProgram(program) === undefined);
  const problem = missing ? missingTexts(missing)[language] : await missingFont(video.font, language);
  return [
    { name: "ffmpeg", ok: problem === null, problem, ...(problem === null ? {} : { code: "NOT_INSTALLED" }) },
  ];
}

const FONT_KNOWN_MS = 60_000;
const fonts = new Map<string, { readonly at: number; readonly isThere: Promise<boolean> }>();

/** With a missing font, ffmpeg still renders and shows boxes instead of letters. */
async function missingFont(font: string, language: Language): Promise<string | null> {
  let known = fonts.get(font);
  // Readiness is asked for every few seconds, and fonts rarely change.
  if (!known || performance.now() - known.at > FONT_KNOWN_MS) {
    known = { at: performance.now(), isThere: hasFont(font) };
    fonts.set(font, known);
  }
  if (await known.isThere) return null;
  return {
    en: `The font ${font} is missing. Install it (Debian: apt-get install fonts-noto-cjk), or set studio.video.font.`,
    ko: `${font} 글꼴이 없습니다. 설치하거나(Debian: apt-get install fonts-noto-cjk) studio.video.font를 설정하세요.`,
  }[language];
}

/** If fontconfig cannot be queried, the font counts as installed. */
async function hasFont(font: string): Promise<boolean> {
  if (findProgram("fc-match") === undefined) return true;
  try {
    const { stdout } = await run("fc-match", ["-f", "%{family}", font], { timeout: 10_000 });
    return stdout.toLowerCase().includes(font.toLowerCase());
  } catch {
    return true;
  }
}
