import type { AppSite } from "@andon/app";
import { AndonError } from "@andon/contract";
import { answerOnce } from "./http/idempotency.ts";
import type { Site } from "./site.ts";

/** The part of the process that an app may use: no settings of other apps, no HTTP. */
export function appSite({ andon, queues, apps }: Pick<Site, "andon" | "queues" | "apps">): AppSite {
  const site: AppSite = {
    andon,
    async announce(name, facts, tx) {
      if (facts.length === 0) return;
      for (const { listens } of apps) await listens?.[name]?.(site, facts, tx);
    },
    readObject(bucket, object, signal) {
      const reader = apps.find(({ buckets }) => buckets && Object.hasOwn(buckets, bucket))?.buckets?.[bucket];
      return reader?.(site, object, signal);
    },
    queue: (name) => {
      const defined = queues.get(name);
      if (!defined) throw new AndonError("QUEUE_NOT_FOUND", { queue: name });
      return defined.queue;
    },
    once: answerOnce(andon),
  };
  return site;
}
