/**
 * A long job that continues after a failure. It prints ten letters in chunks of three; each chunk commits together with its
 * cursor. The printer jams once, and the second attempt starts after the last stored chunk.
 */
import { open } from "andon";

const LETTERS = 10;
const CHUNK = 3;

const andon = await open("sqlite::memory:");
const bulk = andon.queue<{ campaign: string }>("bulk", {
  backoff: { delay: "10ms" },
  timeoutFrom: "progress",
});
await andon.transaction(async (tx) => {
  await tx.query("create table letters (number integer primary key, attempt integer not null)");
});

const worker = await bulk.work(async (job, { attempt, checkpoint, progress, signal }) => {
  let next = (job.cursor as number | null) ?? 1;
  console.log(`attempt ${attempt} starts at letter ${next}`);
  while (next <= LETTERS) {
    signal.throwIfAborted();
    const end = Math.min(next + CHUNK, LETTERS + 1);
    if (attempt === 1 && next > 4) throw new Error(`paper jam before letter ${next}`);
    await checkpoint(end, async (tx) => {
      for (let letter = next; letter < end; letter++)
        await tx.query("insert into letters (number, attempt) values ($1, $2)", [letter, attempt]);
    });
    progress({ printed: end - 1, of: LETTERS });
    next = end;
  }
  return { printed: LETTERS };
});

const { id } = await bulk.add({ campaign: "spring" });
while ((await andon.job(id))?.state !== "done") await new Promise((resolve) => setTimeout(resolve, 5));
await worker.close();

for (const { number, outcome, message } of await andon.attempts(id))
  console.log(`attempt ${number} ${outcome}: ${message}`);
const rows = await andon.transaction((tx) =>
  tx.query<{ attempt: number; letters: number }>(
    "select attempt, count(*) as letters from letters group by attempt order by attempt",
  ),
);
for (const { attempt, letters } of rows) console.log(`attempt ${attempt} printed ${letters} letters`);
console.log(`result: ${JSON.stringify((await andon.job(id))?.result)}`);
await andon.close();
