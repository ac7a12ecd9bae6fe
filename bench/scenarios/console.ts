import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Browser, Request } from "playwright-core";
import { Connection } from "../http/connection.ts";
import { QUEUE } from "../operators/store-mix.ts";
import { median } from "../percentile.ts";
import { all, atMost, type Scenario } from "../scenario.ts";
import { type AndonServer, startAndon } from "../servers/andon.ts";
import { storeUrl } from "../store-url.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
const JOBS_IN_THE_STORE = 1_000;

/** The live connection to the server is open, and the board shows the queue. */
const USABLE = ["[data-live=live]", `[data-row="${QUEUE}"]`];

export default {
  name: "console",
  title: "The console's first load",
  measures:
    "Kilobytes of the page and everything it loads until the board can be used, compressed by gzip; and milliseconds from opening a console link in a browser that has never seen it until the line is live and the queue stands on the board. The median of the loads.",
  mode: "server",
  full: { loads: 10 },
  quick: { loads: 3 },
  rounds: { full: 3, quick: 1 },
  timeoutSeconds: 180,
  main: { figure: "milliseconds", unit: "ms until usable", better: "lower" },
  also: [
    { figure: "slowest", unit: "ms slowest" },
    { figure: "kilobytes", unit: "kB gzipped" },
    { figure: "sentKilobytes", unit: "kB as sent" },
    { figure: "files", unit: "files" },
  ],
  targets: (["postgres", "sqlite"] as const).map((store) => ({
    store,
    text: "< 250 kB gzipped, usable < 1.5 s",
    reached: (ours) => all(atMost(ours("kilobytes"), 250), atMost(ours(), 1_500)),
  })),
  async run({ kind, place, size }) {
    const { ensureBrowser } = await import("@andon/testkit");
    const { chromium } = await import("playwright-core");
    const { fillStore } = await import("../operators/fill.ts");
    buildConsole();
    const url = storeUrl(kind.store, place);
    await fillStore(url, JOBS_IN_THE_STORE);
    const server = await startAndon({ folder: place.folder, storeUrl: url, config: { vault: false } });
    const executablePath = ensureBrowser();
    if (executablePath === undefined) throw new Error("Chromium is not installed");
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
    try {
      const loads: Load[] = [];
      // The first load starts the browser's own processes and is discarded.
      for (let n = 0; n <= (size.loads ?? 0); n++) {
        const load = await firstLoad(browser, await consoleLink(server));
        if (n > 0) loads.push(load);
      }
      const of = (name: Exclude<keyof Load, "complaints">) => loads.map((load) => load[name]);
      return {
        figures: {
          milliseconds: median(of("milliseconds")),
          slowest: Math.max(...of("milliseconds")),
          kilobytes: median(of("gzipped")) / 1_000,
          sentKilobytes: median(of("sent")) / 1_000,
          files: median(of("files")),
        },
        problems: [...new Set(loads.flatMap(({ complaints }) => complaints))],
        settings: { browser: browser.version(), jobs: JOBS_IN_THE_STORE },
      };
    } finally {
      await browser.close();
      await server.stop();
    }
  },
} satisfies Scenario;

function buildConsole(): void {
  execFileSync(process.execPath, ["scripts/build-console.mjs"], {
    cwd: REPOSITORY,
    env: { ...process.env, NODE_ENV: "production" },
    stdio: "ignore",
  });
}

async function consoleLink({ url, token }: AndonServer): Promise<string> {
  const connection = await Connection.open(url);
  const link = await connection.json<{ url: string }>({ method: "POST", path: "/admin/login-links", token });
  connection.close();
  return link.url;
}

interface Load {
  milliseconds: number;
  gzipped: number;
  sent: number;
  files: number;
  complaints: string[];
}

/** Loads in a new context: the cache is empty and nobody is signed in. */
async function firstLoad(browser: Browser, link: string): Promise<Load> {
  const context = await browser.newContext({ locale: "en-US" });
  const page = await context.newPage();
  const complaints: string[] = [];
  const bodies: Promise<{ gzipped: number; sent: number }>[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("requestfinished", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname === "/" || pathname.startsWith("/assets/")) bodies.push(sizesOf(request));
  });
  const before = performance.now();
  await page.goto(link, { waitUntil: "commit" });
  await Promise.all(USABLE.map((what) => page.locator(what).first().waitFor()));
  const milliseconds = performance.now() - before;
  const sizes = await Promise.all(bodies);
  await context.close();
  const sum = (name: "gzipped" | "sent") => sizes.reduce((total, one) => total + one[name], 0);
  return { milliseconds, gzipped: sum("gzipped"), sent: sum("sent"), files: sizes.length, complaints };
}

async function sizesOf(request: Request): Promise<{ gzipped: number; sent: number }> {
  const body = (await (await request.response())?.body()) ?? Buffer.alloc(0);
  const { responseBodySize } = await request.sizes();
  return { gzipped: gzipSync(body).length, sent: responseBodySize };
}
