import type { VaultServer } from "./harness.ts";

/** The vault's own queue, worked until nothing of it runs by itself any more. */
export async function housekeep(server: VaultServer, name = "housekeeping", payload: unknown = {}) {
  const queue = server.site.queues.get("vault")?.queue;
  if (!queue) throw new Error("there is no queue vault");
  const { id } = await queue.add(payload, { name });
  const end = Date.now() + 20_000;
  for (;;) {
    const job = await server.site.andon.job(id);
    if (job?.state === "done" || job?.attempts) return job;
    if (Date.now() > end) throw new Error(`the job ${name} is still ${job?.state}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
