// Measures the cost of a change of rooms with 100,000 jobs in the store: `npm run rooms -w packages/console`. Requests and CPU time
// of the page are the same on a busy machine; the time until the room is shown is valid only on an idle machine.
import { ConsoleServer } from "../test/console-server.ts";
import { openBrowser, signIn } from "../test/operator.ts";

const JOBS = 100_000;
const AT_ONCE = 5_000;
const ROUNDS = 7;
const ROOMS = ["/jobs", "/alerts", "/queues/mail", "/jobs?queue=mail&state=ready", "/audit", "/workers", "/"];

const app = { name: "post", queues: () => ({ mail: {}, parcels: {} }) };
const server = await ConsoleServer.start(
  process.argv[2] ?? "sqlite",
  { apps: [app] },
  { checkAnswers: false },
);
for (let from = 0; from < JOBS; from += AT_ONCE) {
  const payloads = Array.from({ length: AT_ONCE }, (_, n) => ({ n: from + n }));
  await server.addJobs(from % 3 === 0 ? "parcels" : "mail", payloads);
}
const browser = await openBrowser();
const { page } = await signIn(browser, server, "en", { viewport: { width: 1440, height: 900 } });
const devtools = await page.context().newCDPSession(page);
await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
// The first pointer move preloads the code of all rooms.
await page.mouse.move(700, 5);
await page.waitForLoadState("networkidle");
const costs = new Map(ROOMS.map((room) => [room, []]));
for (let round = 0; round < ROUNDS; round++)
  for (const room of ROOMS) costs.get(room).push(await change(room));
console.log(`${JOBS.toLocaleString("en")} jobs; the first visit, and the median of ${ROUNDS - 1} later ones`);
console.log(`${"".padEnd(30)} ms until it is there   CPU ms (script)    requests`);
for (const [room, [first, ...later]] of costs) {
  const both = (of) => `${of(first)} / ${median(later.map(of))}`;
  const cpu = `${both(({ cpu }) => cpu)} (${both(({ script }) => script)})`;
  console.log(
    `${room.padEnd(30)} ${both(({ ms }) => ms).padEnd(22)} ${cpu.padEnd(26)} ${both(({ requests }) => requests)}`,
  );
}
await browser.close();
await server.close();

/** Changes to a room. Returns the time until the frame without a skeleton, and the cost until the page is idle. */
async function change(room) {
  const before = await spent();
  let requests = 0;
  const count = (request) => {
    if (request.resourceType() !== "script") requests++;
  };
  page.on("request", count);
  const ms = await page.evaluate(async (path) => {
    const heading = document.querySelector("main h1");
    const started = performance.now();
    history.pushState({}, "", path);
    dispatchEvent(new PopStateEvent("popstate"));
    await new Promise((resolve) => {
      const look = () => {
        const now = document.querySelector("main h1");
        const isThere = now && now !== heading && !document.querySelector("main .skeleton");
        if (isThere) resolve();
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    const took = performance.now() - started;
    await new Promise((resolve) => setTimeout(resolve, 300));
    return Math.round(took);
  }, room);
  page.off("request", count);
  const after = await spent();
  return { ms, requests, cpu: after.cpu - before.cpu, script: after.script - before.script };
}

/** Milliseconds of the page's main thread until now. */
async function spent() {
  const { metrics } = await devtools.send("Performance.getMetrics");
  const of = (name) => Math.round(1_000 * (metrics.find((each) => each.name === name)?.value ?? 0));
  return { cpu: of("TaskDuration"), script: of("ScriptDuration") };
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
