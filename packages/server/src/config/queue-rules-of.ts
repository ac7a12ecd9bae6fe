import type { QueueRulesInput } from "@andon/contract";
import { BUILT_IN_QUEUES } from "./built-in-queues.ts";
import type { QueueSettings } from "./queue-settings.ts";

/** The rules of a queue: what is preset for its name, what its app says over it, what the configuration says over that. */
export function queueRulesOf(
  name: string,
  ofApp: QueueRulesInput | undefined,
  settings: QueueSettings | undefined,
): QueueRulesInput {
  const { handler: _handler, work: _work, ...configured } = settings ?? {};
  const builtIn = BUILT_IN_QUEUES[name];
  const said = over(ofApp ?? {}, configured);
  const preset = said.mode === "serial" ? { ...builtIn?.rules, ...builtIn?.serial } : builtIn?.rules;
  return over(preset ?? {}, said);
}

/** One set of rules over another; groups such as `backoff` are joined member by member. */
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
