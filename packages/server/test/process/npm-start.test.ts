import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { Folder } from "./server-process.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));

let folder: Folder;
beforeEach(() => {
  folder = new Folder();
});
afterEach(() => folder.remove());

// npm runs its scripts in a shell, which hands no signal on unless it has made way for the program.
test.each(["SIGTERM", "SIGINT"] as const)(
  "npm start hands %s on and ends with the server's exit code",
  async (signal) => {
    const npm = spawn("npm", ["start"], {
      cwd: ROOT,
      env: { ...process.env, ANDON_DATA: folder.path, ANDON_PORT: "0" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void npm.kill());
    const exited = once(npm, "exit");
    let url = "";
    for await (const line of createInterface(npm.stdout)) {
      if (!line.startsWith("Andon listens on")) continue;
      url = line.split(" ").at(-1) as string;
      break;
    }
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    npm.kill(signal);
    expect(await exited).toEqual([0, null]);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  },
);
