import { isStoppedByFailure } from "@andon/contract";
import { CircleAlert, Hand, Pause, Play, TriangleAlert } from "lucide-react";
import type { QueueOverview } from "../api/client.ts";
import { useWords } from "../i18n/words.ts";

type StateLamp = "running" | "degraded" | "stopped" | "paused";
/** `troubled`: the queue is open, but something in it needs a person. */
export type LampKind = StateLamp | "troubled";

export function lampOf(queue: Pick<QueueOverview, "state" | "pausedBy" | "failedJobId">): StateLamp {
  if (queue.state === "open") return "running";
  if (queue.state === "degraded") return "degraded";
  return isStoppedByFailure(queue) ? "stopped" : "paused";
}

/** Lamps differ not only by colour: each has its own sign, and a word beside it. */
const SIGNS = { running: Play, troubled: CircleAlert, degraded: TriangleAlert, stopped: Hand, paused: Pause };
const SIZES = {
  tiny: ["lamp-tiny size-4", 9],
  small: ["size-5", 11],
  medium: ["size-11", 22],
  large: ["size-16", 32],
} as const;

const LAMP_INK: Record<LampKind, string> = {
  running: "text-run-ink",
  troubled: "text-warn-ink",
  degraded: "text-warn-ink",
  stopped: "text-stop-ink",
  paused: "text-hand-ink",
};

export const LAMP_WASH: Record<LampKind, string> = {
  running: "lamp-wash bg-run-wash",
  troubled: "bg-warn-wash",
  degraded: "bg-warn-wash",
  stopped: "bg-stop-wash",
  paused: "bg-hand-wash",
};

export function Lamp({ kind, size = "medium" }: { kind: LampKind; size?: keyof typeof SIZES }) {
  const [box, sign] = SIZES[size];
  const Sign = SIGNS[kind];
  return (
    <span className={`lamp ${box}`} data-lamp={kind} aria-hidden="true">
      <Sign
        size={sign}
        strokeWidth={2.5}
        fill={kind === "running" || kind === "paused" ? "currentColor" : "none"}
      />
    </span>
  );
}

/** The word for the state. For a running queue with a problem, the word stays and only its colour changes. */
export function LampWord({ kind }: { kind: LampKind }) {
  const { lamp } = useWords();
  const word = lamp[kind === "troubled" ? "running" : kind];
  return <span className={`lamp-word font-semibold ${LAMP_INK[kind]}`}>{word}</span>;
}
