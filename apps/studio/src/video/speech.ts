import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FilmLanguage } from "../contract/states.ts";
import type { Scene } from "../script/scenes.ts";
import { runProgram } from "./run-program.ts";

const VOICES: Readonly<Record<FilmLanguage, string>> = { ko: "ko", en: "en-us" };

export const speechFile = (index: number) => `speech-${index}.wav`;

/** Speaks each scene into a file of the folder; returns how many seconds each takes. */
export async function speak(
  program: string,
  scenes: readonly Scene[],
  language: FilmLanguage,
  { folder, signal }: { folder: string; signal: AbortSignal },
): Promise<number[]> {
  const seconds: number[] = [];
  for (const [index, { text }] of scenes.entries()) {
    await writeFile(join(folder, "speech.txt"), text);
    const args = ["-v", VOICES[language], "-s", "150", "-f", "speech.txt", "-w", speechFile(index)];
    await runProgram(program, args, { folder, signal });
    seconds.push(secondsOf(await readFile(join(folder, speechFile(index)))));
  }
  return seconds;
}

/** The duration of a WAV file: its bytes after the header, divided by its bytes per second. */
function secondsOf(wav: Buffer): number {
  return Math.max(0, (wav.length - 44) / wav.readUInt32LE(28));
}
