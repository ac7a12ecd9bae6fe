import { useQuery } from "@tanstack/react-query";
import { api, type Operation, type QueueOverview } from "../api/client.ts";
import type { Follow } from "../api/follow-operation.ts";
import { queries } from "../api/queries.ts";
import type { Words } from "../i18n/en.ts";
import { useWords } from "../i18n/words.ts";
import { DecisionDialog } from "../ui/decision-dialog.tsx";
import { lampOf } from "../ui/lamp.tsx";
import { TypedName } from "../ui/typed-name.tsx";

export type QueueAction =
  | "resume"
  | "pause"
  | "retryAll"
  | "retryAllAndResume"
  | "skipAllAndResume"
  | "deleteQueue";

type Decided = { readonly message: string } | { readonly ended: Operation };

interface QueueRule {
  readonly isLegal: (queue: QueueOverview) => boolean;
  readonly reason: "required" | "optional";
  /** Nothing brings back what it takes: the queue's name is typed first. */
  readonly isFinal?: true;
  readonly decide: (queue: string, reason: string | undefined, follow: Follow) => Promise<Decided>;
  readonly effects: (queue: QueueOverview, effect: Words["act"]["effect"]) => readonly (string | false)[];
}

const because = (reason: string | undefined) => (reason === undefined ? {} : { reason });

/** Nothing starts between the two, since the queue stands. Repeated after a lost answer, it does what is left to do. */
async function retryAllAndResume(
  queue: string,
  reason: string | undefined,
  follow: Follow,
): Promise<Decided> {
  const retried = await follow(await api().queues.retryAll({ queue, ...because(reason) }));
  const resumed = await api().queues.resume({ queue, ...because(reason) });
  return "message" in retried ? { message: `${retried.message} ${resumed.message}` } : retried;
}

/** What an operator may do with a whole queue, when, and what it will do. */
const RULES: Record<QueueAction, QueueRule> = {
  retryAllAndResume: {
    isLegal: ({ failed, isPaused }) => failed > 0 && isPaused,
    reason: "optional",
    decide: retryAllAndResume,
    effects: ({ failed, waiting, delayed }, effect) => [
      effect.retryAll(failed),
      effect.resume(waiting + failed),
      delayed > 0 && effect.delayed(delayed),
    ],
  },
  resume: {
    isLegal: ({ state }) => state !== "open",
    reason: "optional",
    decide: (queue, reason) => api().queues.resume({ queue, ...because(reason) }),
    effects: ({ state, mode, waiting, delayed, failed, heldLanes }, effect) => [
      ...(state === "degraded" ? [effect.degradedUntested, effect.degradedOpens] : []),
      effect.resume(waiting),
      delayed > 0 && effect.delayed(delayed),
      failed > 0 && effect.failedStay(failed),
      failed > 0 && mode === "serial" && effect.overtakes(failed),
      heldLanes !== null && heldLanes > 0 && effect.lanesStay(heldLanes),
    ],
  },
  retryAll: {
    isLegal: ({ failed }) => failed > 0,
    reason: "optional",
    decide: async (queue, reason, follow) =>
      follow(await api().queues.retryAll({ queue, ...because(reason) })),
    effects: ({ failed, isPaused }, effect) => [
      effect.retryAll(failed),
      isPaused ? effect.notResumed : effect.queueRuns,
    ],
  },
  skipAllAndResume: {
    isLegal: ({ failed, isPaused }) => failed > 0 && isPaused,
    reason: "required",
    decide: async (queue, reason = "", follow) =>
      follow(await api().queues.skipAllAndResume({ queue, reason })),
    effects: ({ failed, waiting, delayed }, effect) => [
      effect.skipAll(failed),
      effect.resume(waiting),
      delayed > 0 && effect.delayed(delayed),
    ],
  },
  pause: {
    isLegal: ({ isPaused }) => !isPaused,
    reason: "optional",
    decide: (queue, reason) => api().queues.pause({ queue, ...because(reason) }),
    effects: ({ active, waiting }, effect) => [
      effect.pause(active),
      waiting > 0 && effect.pauseWaiting(waiting),
    ],
  },
  deleteQueue: {
    isLegal: ({ isPaused, active }) => isPaused && active === 0,
    reason: "required",
    isFinal: true,
    decide: (queue, reason = "") => api().queues.deleteQueue({ queue, reason }),
    effects: ({ waiting, delayed, failed, completed }, effect) => [
      effect.deleteQueue(waiting + delayed + failed + completed),
      effect.deleteUnworked,
      effect.auditStays,
    ],
  },
};

export function legalQueueActions(queue: QueueOverview): readonly QueueAction[] {
  return (Object.keys(RULES) as QueueAction[]).filter((action) => RULES[action].isLegal(queue));
}

/** What brings the line back as it was, where one decision does. */
export function primaryQueueAction(queue: QueueOverview): QueueAction | undefined {
  if (queue.state !== "stopped") return undefined;
  return lampOf(queue) === "stopped" && queue.failed > 0 ? "retryAllAndResume" : "resume";
}

interface QueueDecisionProps {
  readonly action: QueueAction;
  readonly queue: QueueOverview;
  readonly onClose: () => void;
  readonly onDone?: (() => Promise<void>) | undefined;
}

/** The numbers are asked again while the dialog is open, so that it tells what is so now. */
export function QueueDecision({ action, queue: shown, onClose, onDone }: QueueDecisionProps) {
  const { act, common } = useWords();
  const { data } = useQuery({ ...queries.queue(shown.queue), refetchOnMount: "always" });
  const queue = data ?? shown;
  const rule = RULES[action];
  const effects = rule.effects(queue, act.effect).filter((effect) => effect !== false);
  return (
    <DecisionDialog
      title={act.of[action](queue.queue)}
      effects={[...effects, common.nothingElse]}
      confirm={act[action]}
      reason={rule.reason}
      decide={(reason, follow) => rule.decide(queue.queue, reason, follow)}
      tone={rule.isFinal ? "stop" : "primary"}
      onClose={onClose}
      onDone={onDone}
    >
      {rule.isFinal && <TypedName name={queue.queue} />}
    </DecisionDialog>
  );
}
