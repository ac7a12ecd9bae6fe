/**
 * A bulk job with a safe abort. It prints thirty letters in chunks of five. An operator aborts it while it reads the third
 * chunk, reads the receipt, and resumes it later. Every letter is printed once.
 */
import { bulk, open } from "andon";

const LETTERS = 30;

const andon = await open("sqlite::memory:");
const letters = andon.queue<{ campaign: string }>("letters");
await andon.transaction(async (tx) => {
  await tx.query("create table letters (number integer primary key)");
});

let inThirdChunk: () => void = () => {};
const thirdChunk = new Promise<void>((resolve) => {
  inThirdChunk = resolve;
});
let goOn: () => void = () => {};
const mayGoOn = new Promise<void>((resolve) => {
  goOn = resolve;
});

const printer = bulk<number, { campaign: string }>({
  settings: { chunkSize: 5 },
  total: () => LETTERS,
  async read(cursor, limit) {
    const last = (cursor as number | null) ?? 0;
    if (last === 10) {
      inThirdChunk();
      await mayGoOn;
    }
    return Array.from({ length: Math.min(limit, LETTERS - last) }, (_, index) => last + index + 1);
  },
  async write(tx, numbers) {
    for (const number of numbers) await tx.query("insert into letters (number) values ($1)", [number]);
  },
  cursorOf: (number) => number,
});
const worker = await letters.work(printer);
const { id } = await letters.add({ campaign: "spring" });

await thirdChunk;
const { outcome } = await letters.abort(id, { actor: "kim", reason: "the database is busy" });
console.log(`abort before the third chunk: ${outcome}`);
console.log((await andon.why(id)).rule);
goOn();
await reaches("aborted");

const { receipt } = (await letters.bulkState(id)) ?? {};
console.log(`${receipt?.outcome} by ${receipt?.by} (${receipt?.reason})`);
console.log(`processed ${receipt?.processed} of ${receipt?.total}, cursor ${receipt?.cursor}`);

await letters.resumeJob(id, { actor: "kim", reason: "the database is quiet" });
await reaches("done");
await worker.close();

console.log(`result: ${JSON.stringify((await andon.job(id))?.result)}`);
const [count] = await andon.transaction((tx) =>
  tx.query<{ letters: number }>("select count(*) as letters from letters"),
);
console.log(`${count?.letters} letters`);
const { items } = await andon.audit({ target: `job:${id}` });
for (const { action, actor, reason } of items.reverse()) console.log(`${action} by ${actor}: ${reason}`);
await andon.close();

async function reaches(state: string): Promise<void> {
  while ((await andon.job(id))?.state !== state) await new Promise((resolve) => setTimeout(resolve, 5));
}
