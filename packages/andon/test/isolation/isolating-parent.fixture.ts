/** A program that works one queue in isolation and passes its own Node arguments on; `stay` keeps a runner spinning. */
import type { IsolatedErrand } from "@andon/testkit";
import { open } from "andon";

const [kind, plan] = process.argv.slice(2) as ["thread" | "process", "leave" | "stay"];
const andon = await open("sqlite::memory:");
const queue = andon.queue<IsolatedErrand>("errands", { timeout: 0 });
const tasks = new URL("../../../testkit/dist/isolated-tasks.js", import.meta.url);
await queue.work(tasks, { isolate: kind, places: 2 });
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
