import type { Client } from "@andon/client";
import { until } from "@andon/testkit";
import { addUploads, type Nas } from "./demo-line.ts";

/**
 * A site in every state: `nas-sync` stopped by a failure, `mail` degraded, `reports` paused by hand, lanes of `thumbnails`
 * held, and hostile text in every field that callers can write.
 */
export async function fillTheLine(client: Client, nas: Nas, hostile: string) {
  const paths = (folder: string, count: number) =>
    Array.from({ length: count }, (_, n) => `/${folder}/${n + 1}.pdf`);
  const overview = (queue: string) => client.queues.overview({ queue });

  await addUploads(client, "nas-sync", paths("contracts", 20));
  await until(async () => (await overview("nas-sync")).completed === 20);
  await client.queues.pause({ queue: "reports", reason: "NAS 점검 예정" });
  await addUploads(client, "reports", paths("reports", 3));

  nas.bad.set(hostile, `EINVAL: ${hostile}`);
  const bad = await client.queues.add({
    queue: "thumbnails",
    name: hostile.slice(0, 200),
    key: hostile,
    payload: { nasPath: hostile, note: hostile },
  });
  await addUploads(client, "thumbnails", [hostile, "/media/logo.png"]);
  await client.keys.create({ name: hostile, permissions: ["queue.read"] });
  await client.lanes.hold({ queue: "thumbnails", key: "/media/logo.png", reason: hostile });
  await until(async () => (await overview("thumbnails")).heldLanes === 2);

  nas.isUp = false;
  await addUploads(client, "mail", paths("mail", 4));
  await addUploads(client, "nas-sync", paths("invoices", 16));
  await until(async () => (await overview("mail")).state === "degraded");
  const stopped = await until(async () => {
    const queue = await overview("nas-sync");
    return queue.failedJobId !== null && queue;
  });
  return { failed: stopped.failedJobId as string, hostile: bad.id };
}
