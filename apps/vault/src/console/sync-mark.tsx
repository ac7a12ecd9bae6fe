import { ArrowUpFromLine, Check, Clock, Hand, type LucideIcon, TriangleAlert } from "lucide-react";
import type { Availability, QueueStatus } from "./api.ts";
import { useVaultWords } from "./i18n/words.ts";

/** `OFF`: no operation is pending, but the NAS does not have the file where it should be. */
type Mark = QueueStatus | "OFF";

const LOOKS: Record<Mark, { readonly sign: LucideIcon; readonly lit: string; readonly ink: string }> = {
  IDLE: { sign: Check, lit: "[--lit:var(--run)]", ink: "text-run-ink" },
  OFF: { sign: TriangleAlert, lit: "[--lit:var(--stop)]", ink: "text-stop-ink" },
  PENDING: { sign: Clock, lit: "[--lit:var(--line-strong)]", ink: "text-soft" },
  PROCESSING: { sign: ArrowUpFromLine, lit: "[--lit:var(--hand)]", ink: "text-hand-ink" },
  HELD: { sign: Hand, lit: "[--lit:var(--stop)]", ink: "text-stop-ink" },
};

export function markOf(status: QueueStatus, nas: Availability): Mark {
  return status === "IDLE" && nas !== "AVAILABLE" ? "OFF" : status;
}

/** The sync state of a file: an icon, its text, and the availability on the NAS. */
export function SyncMark({ status, nas }: { status: QueueStatus; nas: Availability }) {
  const { sync, availability } = useVaultWords();
  const mark = markOf(status, nas);
  const { sign: Sign, lit, ink } = LOOKS[mark];
  return (
    <span className="flex items-start gap-2" data-sync={mark}>
      <span className={`lamp mt-0.5 size-4 ${lit}`} aria-hidden="true">
        <Sign size={10} strokeWidth={2.75} />
      </span>
      <span className="min-w-0">
        <span className={`block font-medium whitespace-nowrap ${ink}`}>{sync[mark]}</span>
        <span className="block text-xs whitespace-nowrap text-faint">{sync.onNas(availability[nas])}</span>
      </span>
    </span>
  );
}

const AVAILABILITY_INK: Record<Availability, string> = {
  AVAILABLE: "text-run-ink",
  PENDING: "text-hand-ink",
  ERROR: "text-stop-ink",
  ABSENT: "text-faint",
};

export function AvailabilityWord({ of }: { of: Availability }) {
  const { availability } = useVaultWords();
  return <span className={`font-medium whitespace-nowrap ${AVAILABILITY_INK[of]}`}>{availability[of]}</span>;
}
