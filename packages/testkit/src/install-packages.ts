import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { runsAsRoot } from "./postgres-binaries.ts";

/**
 * Installs Debian packages if that is possible (root, with apt); the caller checks the result. Without fresh package
 * lists a missing package fails at once, even without a network.
 */
export function installPackages(
  what: string,
  packages: readonly string[],
  lists: "fresh lists" | "lists as they are" = "fresh lists",
): void {
  if (!runsAsRoot || onPath("apt-get") === undefined) return;
  console.log(`${what} is missing: installing ${packages.join(" and ")} with apt-get.`);
  // Another test file may be installing packages at this moment.
  const patience = ["-o", "DPkg::Lock::Timeout=300", "-qq"];
  if (lists === "fresh lists") apt([...patience, "update"]);
  else patience.push("-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=20");
  apt([...patience, "install", "-y", "--no-install-recommends", ...packages]);
}

function apt(args: readonly string[]): void {
  // In runlevel 1 a package does not start its service: tests start their own servers.
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  spawnSync("apt-get", args, { stdio: "ignore", env });
}

/** The path of a program. */
export function onPath(program: string): string | undefined {
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
