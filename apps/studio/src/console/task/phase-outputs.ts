import type { Task } from "../api.ts";

/*
 * The outputs of the phases that this page can display. Phases are configurable, so an output is recognized by its shape, not
 * by the name of its phase.
 */

interface Script {
  readonly writer: string | undefined;
  readonly scenes: readonly string[];
}

export interface Film {
  readonly seconds: number | undefined;
  readonly size: number | undefined;
  /** Changes with each rendering, so that the browser reloads a new film. */
  readonly tag: string;
}

interface Publication {
  /** The address of the published film; only http and https URLs. */
  readonly url: string | undefined;
  readonly file: string | undefined;
}

type Output = Readonly<Record<string, unknown>>;

function outputsOf({ metadata }: Pick<Task, "metadata">): readonly Output[] {
  return Object.values(metadata).filter((made): made is Output => typeof made === "object" && made !== null);
}

const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);
const numberOf = (value: unknown) => (typeof value === "number" ? value : undefined);

export function scriptOf(task: Pick<Task, "metadata">): Script | undefined {
  const made = outputsOf(task).find(({ scenes }) => Array.isArray(scenes));
  if (!made) return undefined;
  const scenes = (made.scenes as readonly unknown[]).flatMap(
    (scene) => textOf((scene as { text?: unknown } | null)?.text) ?? [],
  );
  return { writer: textOf(made.writer), scenes };
}

export function filmOf(task: Pick<Task, "metadata">): Film | undefined {
  const made = outputsOf(task).findLast(({ sha256 }) => typeof sha256 === "string");
  return made && { seconds: numberOf(made.seconds), size: numberOf(made.size), tag: String(made.sha256) };
}

export function publicationOf(task: Pick<Task, "metadata">): Publication | undefined {
  const made = outputsOf(task).findLast(({ published }) => published !== undefined);
  if (!made) return undefined;
  const url = textOf(made.url);
  return { url: url !== undefined && /^https?:/.test(url) ? url : undefined, file: textOf(made.file) };
}
