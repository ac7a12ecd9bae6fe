import type { JobState } from "@andon/contract";
import { useWords } from "../i18n/words.ts";
import type { Search } from "../ui/address.ts";

const WAITING: readonly JobState[] = ["ready", "blocked", "parked"];

interface WaitingStatesProps {
  readonly search: Search;
  readonly onChange: (search: Search) => void;
}

/** A queue counts three states as waiting; who came from that count finds the other two here. */
export function WaitingStates({ search, onChange }: WaitingStatesProps) {
  const words = useWords();
  if (!WAITING.some((state) => state === search.state)) return null;
  return (
    <p className="flex flex-wrap gap-x-3 text-soft">
      {words.jobs.waitingStates}
      {WAITING.map((state) => (
        <button
          key={state}
          type="button"
          aria-pressed={state === search.state}
          onClick={() => onChange({ state })}
          className="text-accent underline aria-pressed:font-semibold aria-pressed:text-ink aria-pressed:no-underline"
        >
          {words.state[state]}
        </button>
      ))}
    </p>
  );
}
