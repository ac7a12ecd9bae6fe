import { CirclePause, CirclePlay, Radio, Unplug } from "lucide-react";
import { useStale } from "../api/freshness.ts";
import { pauseLive, resumeLive, useLiveState } from "../api/live.ts";
import { useWords } from "../i18n/words.ts";
import { absoluteText } from "../ui/time.tsx";

function useLiveText(): string {
  const { live } = useWords();
  const state = useLiveState();
  if (state.kind !== "reconnecting") return live[state.kind];
  return live.reconnecting(absoluteText(state.since, Date.now()));
}

/** The state of the live updates, and the button that pauses them. */
export function LiveMark() {
  const { live } = useWords();
  const { kind } = useLiveState();
  const text = useLiveText();
  const isPaused = kind === "paused";
  const ink = kind === "live" ? "text-run-ink" : kind === "reconnecting" ? "text-warn-ink" : "text-soft";
  const Sign = kind === "reconnecting" ? Unplug : isPaused ? CirclePause : Radio;
  return (
    <div className="flex items-center gap-1">
      <span role="status" data-live={kind} className={`flex items-center gap-1.5 text-xs font-medium ${ink}`}>
        <Sign size={15} aria-hidden="true" />
        <span className={kind === "reconnecting" ? "sr-only" : "sr-only sm:not-sr-only"}>{text}</span>
      </span>
      <button
        type="button"
        title={isPaused ? live.resume : live.pause}
        aria-label={isPaused ? live.resume : live.pause}
        onClick={isPaused ? resumeLive : pauseLive}
        className="rounded-md p-1.5 text-soft hover:bg-raised hover:text-ink"
      >
        {isPaused ? (
          <CirclePlay size={17} aria-hidden="true" />
        ) : (
          <CirclePause size={17} aria-hidden="true" />
        )}
      </button>
    </div>
  );
}

/** A strip across the page: the data may be old. */
export function StaleStrip() {
  const { live, problem } = useWords();
  const { kind } = useLiveState();
  const text = useLiveText();
  const stale = useStale();
  if (stale) {
    return (
      <p role="alert" className="bg-stop-wash px-4 py-2 sm:px-6 text-stop-ink">
        {stale.isSilent && <strong>{problem.unreachable}.</strong>}{" "}
        {live.seenAt(absoluteText(stale.since, Date.now()))}
      </p>
    );
  }
  if (kind !== "reconnecting") return null;
  return (
    <section aria-label={text} className="bg-warn-wash px-4 py-2 text-warn-ink sm:px-6">
      <strong>{text}.</strong> {live.hint}
    </section>
  );
}
