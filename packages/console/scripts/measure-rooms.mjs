// How long a change of rooms takes with 100,000 jobs in the store: `npm run rooms -w packages/console`. Run it on a machine that does nothing else.
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
const times = new Map(ROOMS.map((room) => [room, []]));
for (let round = 0; round < ROUNDS; round++)
  for (const room of ROOMS) times.get(room).push(Math.round(await change(room)));
console.log(`${JOBS.toLocaleString("en")} jobs; ms from the change to the room with its data`);
for (const [room, [first, ...later]] of times) {
  const sorted = later.toSorted((a, b) => a - b);
  console.log(
    `${room.padEnd(30)} first ${first}  median ${sorted[sorted.length >> 1]}  most ${sorted.at(-1)}`,
  );
}
await browser.close();
await server.close();

/** From the change of the address to the frame that shows the room without a skeleton. */
function change(room) {
  return page.evaluate(async (path) => {
    const before = document.querySelector("main h1");
    const started = performance.now();
    history.pushState({}, "", path);
    dispatchEvent(new PopStateEvent("popstate"));
    await new Promise((resolve) => {
      const look = () => {
        const heading = document.querySelector("main h1");
        const isThere = heading && heading !== before && !document.querySelector("main .skeleton");
        if (isThere) resolve();
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    const took = performance.now() - started;
    await new Promise((resolve) => setTimeout(resolve, 300));
    return took;
  }, room);
}
