import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

export const deployPath = (path: string) => `${ROOT}deploy/${path}`;
export const deployFile = (path: string) => readFileSync(deployPath(path), "utf8");

/** The files in a folder of `deploy/` whose names end with this. */
export function deployNames(folder: string, ending: string): string[] {
  return readdirSync(deployPath(folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`);
}
