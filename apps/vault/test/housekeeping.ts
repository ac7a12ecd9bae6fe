import type { VaultServer } from "./harness.ts";

/** Runs a background job of the vault now; returns it after its first attempt. */
export async function housekeep(
  server: VaultServer,
  name: "empty-trash" | "clean-cache" | "forget-operations",
) {
  const queue = server.site.queues.get("vault")?.queue;
  if (!queue) throw new Error("there is no queue vault");
  const { id } = await queue.add({}, { name });
  const end = Date.now() + 20_000;
  for (;;) {
    const job = await server.site.andon.job(id);
    if (job?.state === "done" || job?.attempts) return job;
    if (Date.now() > end) throw new Error(`the job ${name} is still ${job?.state}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
