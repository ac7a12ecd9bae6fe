import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { EXIT, Failure, type Use } from "@andon/cli/app";
import { TASK } from "./i18n.ts";

/** The text of a file, or of standard input for `-`. */
export async function inputText(shell: Use["shell"], file: string): Promise<string> {
  if (file === "-") return standardInput(shell);
  try {
    return await readFile(resolve(shell.folder, file), "utf8");
  } catch (error) {
    throw unreadable(file, error);
  }
}

export function unreadable(file: string, error: unknown): Failure {
  const { code, message } = error as NodeJS.ErrnoException;
  return new Failure(EXIT.usage, TASK.fileUnreadable, { file, problem: code ?? message });
}

async function standardInput({ stdin }: Use["shell"]): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stdin) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString("utf8");
}
