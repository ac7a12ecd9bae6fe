import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, type QueueOverview } from "../api/client.ts";
import type { Follow } from "../api/follow-operation.ts";
import { queries } from "../api/queries.ts";
import type { Words } from "../i18n/en.ts";
import { useWords } from "../i18n/words.ts";
import { type Decided, DecisionDialog } from "../ui/decision-dialog.tsx";
import { lampOf } from "../ui/lamp.tsx";
import { TypedName } from "../ui/typed-name.tsx";
import { type Opening, RampChoice } from "./ramp.tsx";
import { Rehearsal } from "./rehearsal.tsx";

export type QueueAction =
  | "resume"
  | "pause"
  | "retryAll"
  | "retryAllAndResume"
  | "skipAllAndResume"
  | "deleteQueue";

interface QueueRule {
  readonly isLegal: (queue: QueueOverview) => boolean;
  readonly reason: "required" | "optional";
  /** It cannot be undone, so the queue's name must be typed first. */
  readonly isFinal?: true;
  /** It resumes the queue, and shows a rehearsal first. */
  readonly resumes?: {
    /** The rehearsal assumes that the failed jobs are retried first. */
    readonly retryFailed: boolean;
    /** Whether the resume can be done in waves. */
    readonly inWaves: boolean;
  };
  readonly decide: (queue: string, wish: Wish) => Promise<Decided>;
  readonly effects: (queue: QueueOverview, effect: Words["act"]["effect"]) => readonly (string | false)[];
}

/** The person's input, and how to wait for the answer. */
interface Wish {
  readonly reason: string | undefined;
  readonly opening: Opening;
  readonly follow: Follow;
}

const because = (reason: string | undefined) => (reason === undefined ? {} : { reason });

async function resume(queue: string, { reason, opening }: Wish) {
  return api().queues.resume({ queue, ...because(reason), ...(opening === "waves" ? { ramp: true } : {}) });
}

/** No job starts between the two calls, because the queue is stopped. A repeat after a lost answer does the rest. */
async function retryAllAndResume(queue: string, wish: Wish): Promise<Decided> {
  const retried = await wish.follow(await api().queues.retryAll({ queue, ...because(wish.reason) }));
  const resumed = await resume(queue, wish);
  return "message" in retried ? { message: `${retried.message} ${resumed.message}` } : retried;
}

/** An operator's decisions about a whole queue: when each is possible, and its effects. */
const RULES: Record<QueueAction, QueueRule> = {
  retryAllAndResume: {
    isLegal: ({ failed, isPaused }) => failed > 0 && isPaused,
    reason: "optional",
    resumes: { retryFailed: true, inWaves: true },
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
    resumes: { retryFailed: false, inWaves: true },
    decide: resume,
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
    decide: async (queue, { reason, follow }) =>
      follow(await api().queues.retryAll({ queue, ...because(reason) })),
    effects: ({ failed, isPaused }, effect) => [
      effect.retryAll(failed),
      isPaused ? effect.notResumed : effect.queueRuns,
    ],
  },
  skipAllAndResume: {
    isLegal: ({ failed, isPaused }) => failed > 0 && isPaused,
    reason: "required",
    resumes: { retryFailed: false, inWaves: false },
    decide: async (queue, { reason = "", follow }) =>
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
    decide: (queue, { reason }) => api().queues.pause({ queue, ...because(reason) }),
    effects: ({ active, waiting }, effect) => [
      effect.pause(active),
      waiting > 0 && effect.pauseWaiting(waiting),
    ],
  },
  deleteQueue: {
    isLegal: ({ isPaused, active, bullmq }) => isPaused && active === 0 && bullmq === null,
    reason: "required",
    isFinal: true,
    decide: async (queue, { reason = "", follow }) =>
      follow(await api().queues.deleteQueue({ queue, reason })),
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

/** The decision that brings the queue back with one click, if there is one. */
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

/** The numbers are refetched when the dialog opens, so that they are current. */
export function QueueDecision({ action, queue: shown, onClose, onDone }: QueueDecisionProps) {
  const { act, common, ramp } = useWords();
  const [opening, setOpening] = useState<Opening>("fully");
  const { data } = useQuery({ ...queries.queue(shown.queue), refetchOnMount: "always" });
  const queue = data ?? shown;
  const rule = RULES[action];
  const { resumes } = rule;
  const effects = [
    ...rule.effects(queue, act.effect),
    ...(opening === "waves" ? [ramp.effect, ramp.effectStops] : []),
  ].filter((effect) => effect !== false);
  return (
    <DecisionDialog
      title={act.of[action](queue.queue)}
      effects={[...effects, common.nothingElse]}
      confirm={act[action]}
      reason={rule.reason}
      decide={(reason, follow) => rule.decide(queue.queue, { reason, opening, follow })}
      tone={rule.isFinal ? "stop" : "primary"}
      onClose={onClose}
      onDone={onDone}
    >
      {resumes && !queue.bullmq && <Rehearsal queue={queue.queue} retryFailed={resumes.retryFailed} />}
      {resumes?.inWaves && !queue.bullmq && <RampChoice chosen={opening} onChoose={setOpening} />}
      {rule.isFinal && <TypedName name={queue.queue} />}
    </DecisionDialog>
  );
}
