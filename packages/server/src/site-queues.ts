import type { App, AppQueue, AppSite } from "@andon/app";
import { type Job, type Localized, parseQueueRules, withParticle } from "@andon/contract";
import type { Andon, Handler, Queue, StageHandlers, WorkOptions } from "@andon/engine";
import type { Alerts } from "./alerts/alerts.ts";
import { combineHooks } from "./combine-hooks.ts";
import { SettingsError } from "./config/problems.ts";
import { queueRulesOf } from "./config/queue-rules-of.ts";
import type { Settings } from "./config/settings.ts";
import { decideEachOf } from "./operator/decide-each.ts";
import { describeJob, plainDescription } from "./operator/describe-job.ts";
import type { SiteQueue } from "./site.ts";

/** A queue with its handler and its options for working it in this process. */
export interface WorkableQueue extends SiteQueue {
  readonly handler: Handler<never> | StageHandlers<never> | URL | undefined;
  readonly work: WorkOptions | undefined;
}

const OUTBOX = "outbox";

/** Defines every queue of the site, from the apps and the configuration. */
export function defineQueues(
  site: { andon: Andon; alerts: Alerts; apps: readonly App[]; settings: Settings },
  forApps: AppSite,
): Map<string, WorkableQueue> {
  const { andon, alerts, settings } = site;
  const ofApps = queuesOfApps(site.apps, forApps, settings);
  const defined = new Map<string, WorkableQueue>();
  for (const name of new Set([...ofApps.keys(), ...Object.keys(settings.queues)])) {
    const own = ofApps.get(name);
    const configured = settings.queues[name];
    const rules = queueRulesOf(own, configured);
    const describe = (job: Job) => describeJob(own?.describe, job);
    const queue: Queue<unknown> = andon.queue<unknown>(name, rules, {
      hooks: combineHooks(own?.hooks, alerts.hooksFor(name, own?.heldAlert, describe)),
      parse: own?.parse,
      beforeSkip: own?.beforeSkip,
      decideEach: own && decideEachOf(own, () => queue),
      noun: own?.noun,
      rehearse: own?.rehearse,
    });
    defined.set(name, {
      queue,
      mode: parseQueueRules(name, rules).mode,
      isSystem: own?.isSystem ?? false,
      describe,
      takesJobs: own === undefined,
      ...(own?.beforeSkip ? { beforeSkip: own.beforeSkip } : {}),
      ...(own?.mayDecide ? { mayDecide: own.mayDecide } : {}),
      ...(own?.decide ? { decide: own.decide } : {}),
      ...(own?.noun ? { noun: own.noun } : {}),
      ...(own?.runbooks ? { runbooks: own.runbooks } : {}),
      handler: own?.handler ?? configured?.handler,
      work: { ...own?.work, ...configured?.work },
    });
  }
  for (const name of Object.keys(settings.bullmq.queues)) {
    if (defined.has(name))
      refuse(`bullmq.queues.${name}`, {
        en: "has the name of a queue of Andon",
        ko: "Andon의 큐와 이름이 같습니다",
      });
  }
  // The outbox has its own handler. It is added here so that operators see it.
  const outbox = {
    queue: andon.outbox.queue,
    mode: "lanes" as const,
    isSystem: true,
    describe: plainDescription,
    takesJobs: false,
  };
  return defined.set(OUTBOX, { ...outbox, handler: undefined, work: undefined });
}

function queuesOfApps(
  apps: readonly App[],
  forApps: AppSite,
  settings: Settings,
): ReadonlyMap<string, AppQueue> {
  const found = new Map<string, AppQueue>();
  const owners = new Map<string, string>();
  for (const app of apps) {
    for (const [name, queue] of Object.entries(app.queues?.(forApps) ?? {})) {
      const owner = owners.get(name);
      if (owner !== undefined)
        refuse("apps", {
          en: `"${owner}" and "${app.name}" both bring the queue "${name}"`,
          ko: `${withParticle(`"${owner}"`, "과(와)")} ${withParticle(`"${app.name}"`, "이(가)")} 모두 큐 ${withParticle(`"${name}"`, "을(를)")} 가져옵니다`,
        });
      if (queue.handler && settings.queues[name]?.handler)
        refuse(`queues.${name}.handler`, {
          en: `is set, but the app "${app.name}" brings its own`,
          ko: `설정되어 있지만, 앱 "${app.name}"에 이미 핸들러가 있습니다`,
        });
      owners.set(name, app.name);
      found.set(name, queue);
    }
  }
  return found;
}

function refuse(key: string, text: Localized): never {
  throw new SettingsError([{ where: "settings", key, text }]);
}
