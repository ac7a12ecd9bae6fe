import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { atMost, type Scenario } from "../scenario.ts";
import { freePort } from "../servers/free-port.ts";
import { startProgram } from "../servers/program.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
const LOOK_MS = 100;
const LONGEST_SECONDS = 600;

export default {
  name: "start",
  title: "`npm start` on a fresh clone to a served console",
  measures:
    "Seconds from `npm start` in a fresh clone of what is committed to the first answer of `GET /` with the console's page: installing, building, starting. The machine's own Node and its npm cache as it is; the clone itself is not counted.",
  mode: "server",
  full: { clones: 1 },
  quick: { clones: 1 },
  rounds: { full: 3, quick: 1 },
  timeoutSeconds: LONGEST_SECONDS + 60,
  main: { figure: "seconds", unit: "s to the console", better: "lower" },
  targets: [{ store: "sqlite", text: "< 90 s", reached: (ours) => atMost(ours(), 90) }],
  cited: ({ store }) => (store === "sqlite" ? undefined : "a fresh clone starts with SQLite"),
  async run({ place }) {
    const clone = join(place.folder, "clone");
    await promisify(execFile)("git", ["clone", "--quiet", "--local", REPOSITORY, clone]);
    const port = await freePort();
    const before = performance.now();
    const program = startProgram({
      command: "npm",
      args: ["start"],
      cwd: clone,
      env: { ...withoutNpm(), ANDON_PORT: String(port), ANDON_DATA: join(place.folder, "data") },
      log: join(place.folder, "start.log"),
    });
    try {
      const page = await firstPage(`http://127.0.0.1:${port}/`, LONGEST_SECONDS);
      const seconds = (performance.now() - before) / 1_000;
      // The program prints its address after the workers have started as well.
      await program.printed(/Andon listens on/);
      const isConsole = page.includes('<script type="module"');
      return {
        figures: { seconds },
        problems: isConsole ? [] : ["something else than the console is served"],
        settings: { npmCache: "as it is" },
      };
    } finally {
      await program.stop();
    }
  },
} satisfies Scenario;

/** This process was started by npm, whose variables would point the other npm at this project. */
function withoutNpm(): Record<string, string> {
  const ours = Object.keys(process.env).filter((name) => name.startsWith("npm_") || name === "NODE_OPTIONS");
  return Object.fromEntries(ours.map((name) => [name, ""]));
}

async function firstPage(url: string, withinSeconds: number): Promise<string> {
  const deadline = performance.now() + withinSeconds * 1_000;
  while (performance.now() < deadline) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.status === 200) return answer.text();
    await answer?.body?.cancel();
    await sleep(LOOK_MS);
  }
  throw new Error(`${url} served nothing within ${withinSeconds} s`);
}
