import { Hand, Pause, Play, TriangleAlert } from "lucide-react";
import type { QueueOverview } from "../api/client.ts";
import { useWords } from "../words/words.ts";

export type LampKind = "running" | "degraded" | "stopped" | "paused";

/** Who stops a queue whose job has failed; which job it was, a key with a tenant hears only of its own. */
const SYSTEM = "system";

export function lampOf({ state, pausedBy }: Pick<QueueOverview, "state" | "pausedBy">): LampKind {
  if (state === "open") return "running";
  if (state === "degraded") return "degraded";
  return pausedBy === SYSTEM ? "stopped" : "paused";
}

/** Never colour alone: each has a sign of its own, and a word beside it. */
const SIGNS = { running: Play, degraded: TriangleAlert, stopped: Hand, paused: Pause };
const SIZES = { small: ["size-5", 11], medium: ["size-11", 22], large: ["size-16", 32] } as const;

const LAMP_INK: Record<LampKind, string> = {
  running: "text-run-ink",
  degraded: "text-warn-ink",
  stopped: "text-stop-ink",
  paused: "text-hand-ink",
};

export const LAMP_WASH: Record<LampKind, string> = {
  running: "lamp-wash bg-run-wash",
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

export function LampWord({ kind }: { kind: LampKind }) {
  const { lamp } = useWords();
  return <span className={`lamp-word font-semibold ${LAMP_INK[kind]}`}>{lamp[kind]}</span>;
}
