import type { Job } from "@andon/contract";
import { Unretryable } from "@andon/engine";
import type { TaskRow } from "../tasks/task-rows.ts";

/** A text that is spoken and shown for a while. */
export interface Scene {
  readonly text: string;
}

export interface Script {
  readonly writer: string;
  readonly scenes: readonly Scene[];
}

export const MOST_SCENES = 40;
export const LONGEST_SCENE = 400;

/** The scenes of the script phase; without such a phase, the scenes of the task's own text. */
export function scenesOf(
  job: Pick<Job, "outputs">,
  task: Pick<TaskRow, "title" | "script">,
): readonly Scene[] {
  const made = Object.values(job.outputs).find(isScript);
  if (made) return made.scenes;
  const given = scenesOfText(task.script ?? task.title);
  if (given.length === 0) throw new Unretryable("the task has no script");
  return given;
}

function isScript(output: unknown): output is Script {
  return Array.isArray((output as Partial<Script> | null)?.scenes);
}

/** A text as scenes: one per paragraph; long paragraphs are split by sentences. */
export function scenesOfText(text: string): Scene[] {
  return text
    .split(/\n+/)
    .map((paragraph) => paragraph.replace(/\s+/g, " ").trim())
    .filter((paragraph) => paragraph !== "")
    .flatMap(splitLong)
    .slice(0, MOST_SCENES)
    .map((part) => ({ text: part }));
}

function splitLong(paragraph: string): string[] {
  if (paragraph.length <= LONGEST_SCENE) return [paragraph];
  const parts: string[] = [];
  for (const sentence of paragraph.split(/(?<=[.!?。！？])\s+/)) {
    const last = parts.at(-1);
    if (last !== undefined && last.length + sentence.length < LONGEST_SCENE)
      parts[parts.length - 1] = `${last} ${sentence}`;
    else
      for (let at = 0; at < sentence.length; at += LONGEST_SCENE)
        parts.push(sentence.slice(at, at + LONGEST_SCENE));
  }
  return parts;
}
