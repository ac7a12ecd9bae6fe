import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { CORE_COMMANDS } from "../src/commands/index.ts";
import { flagOf } from "../src/terminal/command.ts";
import { andon, cliApps } from "./harness.ts";

const COMMANDS = [...CORE_COMMANDS, ...cliApps.flatMap(({ commands }) => commands)];
const scriptOf = async (shell: string) => (await andon(["completion", shell])).stdout;

/** What bash offers after these words. */
async function offered(...words: string[]): Promise<string[]> {
  const script = `${await scriptOf("bash")}
COMP_WORDS=(${["andon", ...words].map((word) => `'${word}'`).join(" ")})
COMP_CWORD=${words.length}
_andon
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync("bash", ["-c", script], { encoding: "utf8" });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  return stdout.trim().split("\n");
}

test("bash completes commands, groups, options and choices", async () => {
  expect(await offered("res")).toEqual(["resume"]);
  expect(await offered("keys", "")).toEqual(expect.arrayContaining(["list", "create", "revoke"]));
  expect(await offered("resume", "--dry")).toEqual(["--dry-run"]);
  expect(await offered("--json", "resume", "--ra")).toEqual(["--ramp"]);
  expect(await offered("jobs", "--state", "fai")).toEqual(["failed"]);
  expect(await offered("completion", "")).toEqual(expect.arrayContaining(["bash", "zsh", "fish"]));
});

test.each(["bash", "zsh", "fish"])("the script for %s has every command and option", async (shell) => {
  const script = await scriptOf(shell);
  for (const { name, options } of COMMANDS) {
    for (const word of name.split(" ")) expect(script).toContain(word);
    for (const option of Object.keys(options))
      expect(script).toContain(shell === "fish" ? `-l ${flagOf(option).slice(2)}` : flagOf(option));
  }
});

test("an unknown shell is an error that names the known shells", async () => {
  const { code, stderr } = await andon(["completion", "tcsh"]);
  expect(code).toBe(2);
  expect(stderr).toContain("bash");
});

test("the help lists the commands in groups", async () => {
  const { stdout } = await andon(["--help"]);
  const heads = [
    "Look:",
    "Decide about a queue:",
    "Decide about jobs:",
    "Access and audit:",
    "This machine:",
  ];
  const places = heads.map((head) => stdout.indexOf(`\n${head}`));
  expect(places.every((place) => place > 0)).toBe(true);
  expect([...places].sort((a, b) => a - b)).toEqual(places);
  expect(stdout).toMatch(/App \w+:/);
  expect((await andon(["--help", "--lang", "ko"])).stdout).toContain("\n큐 결정:");
});
