import { open } from "andon";
import { expect, test } from "vitest";

test("`around` wraps every handler of the process, the outbox's too", async () => {
  const seen: string[] = [];
  const andon = await open("sqlite::memory:", {
    around: (queue, handler) => async (job, context) => {
      seen.push(`${queue} ${job.name}`);
      return handler(job, context);
    },
  });
  const mail = andon.queue("mail");
  await mail.work(() => "sent");
  andon.outbox.deliver("note", () => {});
  await andon.outbox.work();
  const { id } = await mail.add({});
  await andon.outbox.send({ destination: "kim", kind: "note", body: {} });
  await Promise.all([mail.drained(), andon.outbox.queue.drained()]);
  expect(seen.sort()).toEqual(["mail mail", "outbox note"]);
  expect(await andon.job(id)).toMatchObject({ state: "done", result: "sent" });
  await andon.close();
});
