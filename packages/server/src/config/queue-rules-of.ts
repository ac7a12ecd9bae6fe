import type { AppQueue } from "@andon/app";
import type { QueueRulesInput } from "@andon/contract";
import type { QueueSettings } from "./queue-settings.ts";

/** The rules of a queue: those of its app, overridden by the configuration. */
export function queueRulesOf(
  ofApp: Pick<AppQueue, "rules" | "serial"> | undefined,
  settings: QueueSettings | undefined,
): QueueRulesInput {
  const { handler: _handler, work: _work, ...configured } = settings ?? {};
  const mode = configured.mode ?? ofApp?.rules?.mode;
  const preset = mode === "serial" ? over(ofApp?.rules ?? {}, ofApp?.serial ?? {}) : ofApp?.rules;
  return over(preset ?? {}, configured);
}

/** Merges two sets of rules. `above` overrides `below`; groups such as `backoff` are merged member by member. */
function over(below: QueueRulesInput, above: QueueRulesInput): QueueRulesInput {
  const joined: Record<string, unknown> = { ...below };
  for (const [rule, value] of Object.entries(above)) {
    if (value === undefined) continue;
    joined[rule] = isGroup(joined[rule]) && isGroup(value) ? { ...joined[rule], ...value } : value;
  }
  return joined;
}

function isGroup(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
