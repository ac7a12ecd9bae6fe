import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ContenderKind } from "../contender.ts";

/** In the order of the tables: ours, the limits, the peers. */
export const CONTENDERS = [
  "andon-postgres",
  "andon-sqlite",
  "limit-postgres",
  "limit-sqlite",
  "graphile-worker",
  "pg-boss",
  "bullmq",
  "plainjob",
];

/** Loaded by name, so that a round's process holds the code of no other contender. */
export async function loadContender(name: string): Promise<ContenderKind | undefined> {
  const file = new URL(`./${name}.ts`, import.meta.url);
  if (!existsSync(fileURLToPath(file))) return undefined;
  return (await import(file.href)).default;
}
