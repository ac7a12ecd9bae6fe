import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { Unretryable } from "@andon/engine";

export interface ProgramOptions {
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Called with each line of the program's output. */
  readonly onLine?: ((line: string) => void) | undefined;
}

const MOST_KEPT = 4_000;

/** A required program is not installed on this machine. */
class ProgramMissing extends Unretryable {
  override readonly name = "ProgramMissing";
  readonly code = "PROGRAM_MISSING";
  readonly localized: { en: string; ko: string };

  constructor(program: string) {
    const texts = missingTexts(program);
    super(texts.en);
    this.localized = texts;
  }
}

/** How to install the programs for films. */
export function missingTexts(program: string): { en: string; ko: string } {
  const hint = "apt-get install ffmpeg fonts-noto-cjk espeak-ng";
  return {
    en: `The program ${program} is missing. Install it (Debian: ${hint}; macOS: brew install ffmpeg espeak-ng), or set its path in studio.video.`,
    ko: `${program} 프로그램이 없습니다. 설치하거나(Debian: ${hint}, macOS: brew install ffmpeg espeak-ng) studio.video에 경로를 설정하세요.`,
  };
}

/** The path of a program; undefined if it does not exist. */
export function findProgram(program: string): string | undefined {
  if (isAbsolute(program) || program.includes("/"))
    return isExecutable(program) ? resolve(program) : undefined;
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs a program to its end and returns its output. On abort, the program and all its children are killed, and this throws
 * only after they are gone. On Linux with `setpriv`, the program also ends with this process, however that ends.
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  { folder, signal, onLine }: ProgramOptions,
): Promise<string> {
  const path = findProgram(program);
  if (path === undefined) throw new ProgramMissing(program);
  signal.throwIfAborted();
  const setpriv = process.platform === "linux" ? findProgram("setpriv") : undefined;
  const [command, ...before] = setpriv ? [setpriv, "--pdeathsig", "KILL", path] : [path];
  const child = spawn(command as string, [...before, ...args], {
    cwd: folder,
    // A process group of its own, so that it can be killed as a whole.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has just ended.
    }
  };
  signal.addEventListener("abort", kill);
  let output = "";
  let errors = "";
  let line = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output = (output + text).slice(-64 * 1024);
    if (!onLine) return;
    const lines = (line + text).split("\n");
    line = lines.pop() ?? "";
    for (const whole of lines) onLine(whole);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-MOST_KEPT);
  });
  try {
    const { code, ended } = await new Promise<{ code: number | null; ended: string | null }>(
      (resolve, reject) => {
        child.on("error", reject);
        child.on("close", (code, ended) => resolve({ code, ended }));
      },
    );
    signal.throwIfAborted();
    if (code !== 0)
      throw new Error(`${program} ended with ${ended ?? code}: ${errors.trim() || "no message"}`);
    return output;
  } finally {
    signal.removeEventListener("abort", kill);
  }
}
