import { createHash } from "node:crypto";
import { postSafely, signatures } from "@andon/app";
import type { HandlerContext, Message } from "@andon/engine";
import type { PublishTarget } from "../contract/settings.ts";
import type { Figures } from "../figures.ts";
import type { FileflowContext } from "../fileflow-context.ts";
import type { ExtractionEvent } from "./publish.ts";
import { receiveExtraction } from "./receive.ts";

export const RECEIVER_KIND = "fileflow.receive";
export const TARGET_KIND = "fileflow.publish";

/**
 * The outbox destination of a target. Messages of one destination are delivered in order, and an unavailable target delays no
 * other.
 */
export function targetName(target: PublishTarget, at: number): string {
  const address = JSON.stringify(target);
  return `fileflow-${target.type}-${at}-${createHash("sha256").update(address).digest("hex").slice(0, 8)}`;
}

/** Registers how this process delivers extraction events. */
export function deliverExtractions(context: FileflowContext, figures: Figures): void {
  const { outbox, store } = context.andon;
  outbox.deliver<ExtractionEvent>(RECEIVER_KIND, async ({ body }) => {
    const { isNew } = await receiveExtraction(store, body);
    figures.time("publish_delay", "", store.clock.now() - body.publishedAt);
    figures.count("published", isNew ? "ok" : "duplicate");
  });
  outbox.deliver<{ at: number; event: ExtractionEvent }>(TARGET_KIND, async (message, handler) => {
    const target = context.settings.publish[message.body.at];
    // The target was removed from the settings.
    if (!target) return;
    try {
      await send(context, target, message, handler);
      figures.count("targets", `${target.type}:ok`);
    } catch (error) {
      figures.count("targets", `${target.type}:failed`);
      throw error;
    }
  });
}

async function send(
  context: FileflowContext,
  target: PublishTarget,
  { id, body: { event } }: Message<{ event: ExtractionEvent }>,
  { signal }: HandlerContext,
): Promise<void> {
  const body = JSON.stringify({
    type: "extraction.completed",
    ...event,
    publishedAt: new Date(event.publishedAt).toISOString(),
  });
  const attributes = { idempotencyKey: event.idempotencyKey, traceId: event.traceId };
  switch (target.type) {
    case "log": {
      const { executionId, extractionType, method, confidence, traceId } = event;
      context.log.info({ executionId, extractionType, method, confidence, traceId }, "extraction");
      return;
    }
    case "sqs":
      return (await import("./aws-targets.ts")).sendToSqs(
        context.sqsSettings,
        target,
        body,
        attributes,
        signal,
      );
    case "sns":
      return (await import("./aws-targets.ts")).sendToSns(
        context.sqsSettings,
        target,
        body,
        attributes,
        signal,
      );
    case "webhook": {
      const { url, secret, allowPrivateTargets: isAllowed } = target;
      const headers = {
        "x-andon-delivery": id,
        "idempotency-key": event.idempotencyKey,
        ...(secret ? signatures(body, secret, Math.floor(Date.now() / 1_000)) : {}),
      };
      await postSafely(
        { url, body, headers },
        { reach: { private: isAllowed, loopback: isAllowed }, signal },
      );
    }
  }
}
