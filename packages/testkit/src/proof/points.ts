import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const MOMENTS = ["begin", "before-commit", "after-commit"] as const;
type Moment = (typeof MOMENTS)[number];

/** A place in the code at which a process can be made to end (engine: `fail-points.ts`). */
export interface Point {
  readonly verb: string;
  readonly moment: Moment;
}

const PACKAGES = fileURLToPath(new URL("../../..", import.meta.url));
const READ = ["engine", "store"];

/** Read from the source, so that new verbs are covered too. */
export function allPoints(): Point[] {
  const found = new Map<string, Point>();
  const add = (verb: string, moment: Moment) => found.set(`${verb}:${moment}`, { verb, moment });
  for (const name of READ) {
    const folder = join(PACKAGES, name, "src");
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      if (file.endsWith(".ts")) collect(readFileSync(join(folder, file), "utf8"), add);
    }
  }
  const order = (point: Point) => MOMENTS.indexOf(point.moment);
  return [...found.values()].sort((a, b) => a.verb.localeCompare(b.verb) || order(a) - order(b));
}

function collect(source: string, add: (verb: string, moment: Moment) => void): void {
  // Every transaction of the store passes all three moments.
  for (const [, verb = ""] of source.matchAll(/\.transaction\(\s*"([\w.-]+)"/g))
    for (const moment of MOMENTS) add(verb, moment);
  for (const [, verb = "", moment] of source.matchAll(/failPoint\("([\w.-]+)", "([\w-]+)"\)/g))
    add(verb, moment as Moment);
  // If one place serves several verbs, they are the strings of the line that picks among them.
  const picked = [...(source.match(/const verb =([^;]+);/)?.[1] ?? "").matchAll(/"([\w.-]+)"/g)];
  for (const [, moment] of source.matchAll(/failPoint\(verb, "([\w-]+)"\)/g))
    for (const [, verb = ""] of picked) add(verb, moment as Moment);
}
