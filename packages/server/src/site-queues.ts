import { type Job, type Localised, parseQueueRules } from "@andon/contract";
import type { Andon, App, AppQueue, AppSite, Handler, WorkOptions } from "@andon/engine";
import type { Alerts } from "./alerts/alerts.ts";
import { combineHooks } from "./combine-hooks.ts";
import { BUILT_IN_QUEUES } from "./config/built-in-queues.ts";
import { SettingsError } from "./config/problems.ts";
import { queueRulesOf } from "./config/queue-rules-of.ts";
import { BUILT_IN_NAMES } from "./config/queue-settings.ts";
import type { Settings } from "./config/settings.ts";
import { plainWords, wordsOf } from "./operator/job-words.ts";
import type { SiteQueue } from "./site.ts";

/** A queue with what this process would work it by. */
export interface WorkableQueue extends SiteQueue {
  readonly handler: Handler<never> | URL | undefined;
  readonly work: WorkOptions | undefined;
}

const OUTBOX = "outbox";

/** Defines every queue of the site: built in, brought by apps, configured. */
export function defineQueues(
  site: { andon: Andon; alerts: Alerts; apps: readonly App[]; settings: Settings },
  forApps: AppSite,
): Map<string, WorkableQueue> {
  const { andon, alerts, settings } = site;
  const ofApps = queuesOfApps(site.apps, forApps, settings);
  const defined = new Map<string, WorkableQueue>();
  for (const name of namesOf(ofApps, settings)) {
    const own = ofApps.get(name);
    const configured = settings.queues[name];
    const rules = queueRulesOf(name, own?.rules, configured);
    const words = (job: Job) => wordsOf(own?.words, job);
    const heldAlert = own?.heldAlert ?? BUILT_IN_QUEUES[name]?.heldAlert;
    const queue = andon.queue<unknown>(name, rules, {
      hooks: combineHooks(own?.hooks, alerts.hooksFor(name, heldAlert, words)),
      parse: own?.parse,
      beforeSkip: own?.beforeSkip,
    });
    defined.set(name, {
      queue,
      mode: parseQueueRules(name, rules).mode,
      words,
      takesJobs: own === undefined && !isRulesAlone(name, settings),
      ...(own?.beforeSkip ? { beforeSkip: own.beforeSkip } : {}),
      handler: own?.handler ?? configured?.handler,
      work: { ...own?.work, ...configured?.work },
    });
  }
  // Its handler is the outbox's own; here it is for operators to see.
  const outbox = { queue: andon.outbox.queue, mode: "lanes" as const, words: plainWords, takesJobs: false };
  return defined.set(OUTBOX, { ...outbox, handler: undefined, work: undefined });
}

/** A built-in name in the configuration sets rules for whoever brings that queue; it does not bring it. */
function isRulesAlone(name: string, settings: Settings): boolean {
  return (BUILT_IN_NAMES as readonly string[]).includes(name) && settings.queues[name]?.handler === undefined;
}

function namesOf(ofApps: ReadonlyMap<string, AppQueue>, settings: Settings): Set<string> {
  const configured = Object.keys(settings.queues).filter((name) => !isRulesAlone(name, settings));
  return new Set([...Object.keys(BUILT_IN_QUEUES), ...ofApps.keys(), ...configured]);
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
          ko: `"${owner}"과(와) "${app.name}"이(가) 모두 큐 "${name}"을(를) 가져옵니다`,
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

function refuse(key: string, text: Localised): never {
  throw new SettingsError([{ where: "settings", key, text }]);
}
