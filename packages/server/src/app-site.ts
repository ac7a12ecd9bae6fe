import { AndonError } from "@andon/contract";
import type { AppSite } from "@andon/engine";
import { answerOnce } from "./http/once.ts";
import type { Site } from "./site.ts";

/** What an app sees of the process: no settings of others, no HTTP. */
export function appSite({ andon, queues }: Pick<Site, "andon" | "queues">): AppSite {
  return {
    andon,
    queue: (name) => {
      const defined = queues.get(name);
      if (!defined) throw new AndonError("QUEUE_NOT_FOUND", { queue: name });
      return defined.queue;
    },
    once: answerOnce(andon),
  };
}
