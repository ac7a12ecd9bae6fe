/** A program that works one queue in isolation and hands its own Node arguments on; `stay` keeps a runner spinning. */
import { open } from "andon";
import type { Errand } from "./isolated-tasks.fixture.ts";

const [kind, plan] = process.argv.slice(2) as ["thread" | "process", "leave" | "stay"];
const andon = await open("sqlite::memory:");
const queue = andon.queue<Errand>("errands", { timeout: 0 });
await queue.work(new URL("./isolated-tasks.fixture.ts", import.meta.url), { isolate: kind, places: 2 });
const { id } = await queue.add({ task: plan === "leave" ? "self" : "spin" });
for (;;) {
  const job = await andon.job(id);
  if (job?.state === "done" || job?.progress) {
    console.log(`seen ${JSON.stringify(job.result ?? job.progress)}`);
    break;
  }
  await new Promise((resolve) => setTimeout(resolve, 5));
}
if (plan === "leave") await andon.close();
