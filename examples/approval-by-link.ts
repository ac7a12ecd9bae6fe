/**
 * An approval by e-mail link. The order parks until somebody opens the link, and occupies no place of the worker until then.
 * When the handler runs again, it reads the payload that the link delivered.
 */
import { open } from "andon";

const andon = await open("sqlite::memory:");
const orders = andon.queue<{ item: string; amount: number }>("orders", {
  stages: [{ name: "approve", concurrency: 1 }, { name: "ship" }],
});
const mailbox: string[] = [];

await orders.work({
  approve: (job, ctx) => {
    if (job.payload.amount < 100) return { by: "nobody, it is cheap" };
    const event = `approval:${job.id}`;
    const approval = ctx.arrival(event);
    if (approval) return approval.payload;
    mailbox.push(event);
    return ctx.park(event, { until: "24h" });
  },
  ship: (job) => {
    const { by } = job.outputs.approve as { by: string };
    console.log(`${job.payload.item} is shipped, approved by ${by}`);
  },
});

const laptop = await orders.add({ item: "laptop", amount: 900 });
await until(async () => (await andon.job(laptop.id))?.state === "parked");
console.log("the laptop waits, and its stage has room for others");
await orders.add({ item: "pencil", amount: 1 });
await until(async () => (await orders.status()).counts.done === 1);

/** Stands for the server behind the link: stores the click and wakes the parked job in one transaction. */
async function opened(link: string, by: string): Promise<boolean> {
  const { isNew } = await andon.transaction((tx) => andon.arrive(link, { by }, { tx }));
  return isNew;
}
const link = mailbox[0] as string;
console.log(`first click counts: ${await opened(link, "kim")}`);
console.log(`second click counts: ${await opened(link, "lee")}`);
await until(async () => (await orders.status()).counts.done === 2);
for (const { name, status, attempts } of await andon.stages(laptop.id))
  console.log(`${name}: ${status}, attempt ${attempts}`);
await andon.close();

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5));
}
