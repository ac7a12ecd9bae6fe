import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ANDON = fileURLToPath(new URL("../../packages/cli/bin/andon.mjs", import.meta.url));
/** Modules that only a server or some commands need. */
const NEEDED_LATER =
  /\/packages\/(engine|store|server)\/dist\/|\/apps\/[^/]+\/dist\/app\.js$|\/node_modules\/ioredis\//;

/** Every module that a command loads, from Node's coverage record of the run. */
function loadedBy(...command: string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "andon-loaded-"));
  try {
    const env = { ...process.env, NODE_V8_COVERAGE: folder };
    execFileSync(process.execPath, [ANDON, ...command], { env, stdio: "ignore" });
    return readdirSync(folder).flatMap((file) => {
      const { result } = JSON.parse(readFileSync(join(folder, file), "utf8")) as {
        result: { url: string }[];
      };
      return result.map(({ url }) => url);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("a command starts without the code of the server, although the demo command needs it", () => {
  const loaded = loadedBy("--help");
  expect(loaded.filter((url) => url.includes("/apps/vault/dist/cli/demo/command.js"))).toHaveLength(1);
  expect(loaded.filter((url) => NEEDED_LATER.test(url))).toEqual([]);
});
