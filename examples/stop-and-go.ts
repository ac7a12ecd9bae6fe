/**
 * A queue that stops and resumes. Ten files are copied one at a time and in order. The fourth copy fails finally, so the
 * queue stops. The operator reads the error, frees the disk, retries the job and resumes the queue.
 */
import { open } from "andon";

const andon = await open("sqlite::memory:");
const files = andon.queue<{ file: string }>("nas-sync", {
  mode: "serial",
  attempts: 2,
  backoff: { delay: "20ms" },
});

let diskIsFull = true;
const copied: string[] = [];
await files.work(({ payload }) => {
  if (payload.file === "4.jpg" && diskIsFull) throw new Error(`no space left for ${payload.file}`);
  copied.push(payload.file);
});

await files.addMany(Array.from({ length: 10 }, (_, index) => ({ file: `${index + 1}.jpg` })));
for await (const event of andon.watch({ queue: "nas-sync", after: 0 })) {
  if (event.type === "queue.stopped") break;
}

const { state, stopReason, counts } = await files.status();
console.log(
  `The line is ${state} (${stopReason}) after ${copied.join(", ")}; ${counts.ready} jobs wait behind it.`,
);

const [failed] = (await files.jobs("failed")).items;
const [next] = (await files.jobs("ready")).items;
if (!failed || !next) throw new Error("nothing failed");
console.log(`Failed: ${failed.payload.file} after ${failed.attempts} attempts: ${failed.error?.message}`);
console.log(`Why does ${next.payload.file} wait? rule ${(await andon.why(next.id)).rule}`);

diskIsFull = false;
await files.retry(failed.id, { actor: "kim", reason: "made room on the disk" });
await files.resume({ actor: "kim", reason: "made room on the disk" });
for await (const _ of andon.watch({ queue: "nas-sync", after: 0 })) {
  if ((await files.status()).counts.done === 10) break;
}

console.log(`After kim resumed it: ${copied.join(", ")}`);
const { items } = await andon.audit();
for (const row of items.reverse()) console.log(`audit: ${row.actor} ${row.action} (${row.reason})`);
await andon.close();
