import { RefusedError } from "@andon/client";
import type { Use } from "./command.ts";
import { rehearsalView } from "./rehearsal-view.ts";

/** The result of a rehearsal; undefined for a BullMQ queue, which cannot be rehearsed. */
export async function rehearsedText(
  { client, out }: Pick<Use, "client" | "out">,
  queue: string,
  asked: { readonly retryFailed?: "true" } = {},
): Promise<string | undefined> {
  try {
    return rehearsalView(await client.queues.rehearse({ queue, ...asked }), out);
  } catch (error) {
    if (error instanceof RefusedError && error.code === "BULLMQ_NOT_OFFERED") return undefined;
    throw error;
  }
}
