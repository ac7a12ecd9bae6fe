/** The first program of the README: a queue of three mails stops at the second; a person retries it and resumes the queue. */
import { open } from "andon";

const andon = await open("sqlite::memory:"); // or "sqlite:./andon.db", or "postgres://…"
const mails = andon.queue<{ to: string }>("mails", {
  mode: "serial",
  attempts: 2,
  backoff: { delay: "10ms" },
});

let serverIsDown = true;
const worker = await mails.work(({ payload }) => {
  if (payload.to === "lee" && serverIsDown) throw new Error("the mail server refuses lee");
  console.log(`sent to ${payload.to}`);
});

await mails.addMany([{ to: "kim" }, { to: "lee" }, { to: "park" }]);
for await (const event of andon.watch({ after: 0 })) if (event.type === "queue.stopped") break;

for (const job of (await mails.jobs("failed")).items) console.log(`failed: ${job.error?.message}`);
for (const job of (await mails.jobs("ready")).items) console.log((await andon.why(job.id)).rule);

serverIsDown = false;
await mails.retryAll({ actor: "choi", reason: "the mail server is back" });
await mails.resume({ actor: "choi" });
while ((await mails.status()).counts.done < 3) await new Promise((resolve) => setTimeout(resolve, 5));

await worker.close();
await andon.close();
