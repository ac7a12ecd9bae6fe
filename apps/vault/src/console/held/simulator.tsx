import { Fact, Facts, useLanguage } from "@andon/console/room";
import { CircleCheck, TriangleAlert } from "lucide-react";
import type { Choice, Simulation } from "../api.ts";
import { useVaultWords } from "../i18n/words.ts";
import { sizeText } from "../size.tsx";

interface SimulatorProps {
  readonly simulation: Simulation;
  readonly chosen: Choice["action"] | undefined;
  /** Undefined: the reader may not decide. */
  readonly onChoose: ((action: Choice["action"]) => void) | undefined;
}

const shown = (path: string | null, nowhere: string) => (path === null ? nowhere : `/${path}`);

/** Where the bytes would be after each choice, before anything is done. */
export function Simulator({ simulation, chosen, onChoose }: SimulatorProps) {
  const { held: say } = useVaultWords();
  const language = useLanguage();
  const { databasePath, nasPath, occupied, choices } = simulation;
  return (
    <fieldset className="flex flex-col gap-3" data-simulator>
      <legend className="mb-2 text-soft">{say.intro}</legend>
      <div className="rounded-md border border-line">
        <Facts>
          <Fact name={say.database}>
            <Path>{shown(databasePath || null, say.gone)}</Path>
          </Fact>
          <Fact name={say.nas}>
            <Path>{shown(nasPath, say.nowhere)}</Path>
          </Fact>
          {occupied && (
            <Fact name={say.target}>
              <Path>{shown(occupied.path, say.nowhere)}</Path>
              <p className="font-medium text-stop-ink" data-occupied={occupied.kind}>
                {say.occupied[occupied.kind](sizeText(occupied.size, language))}
              </p>
            </Fact>
          )}
        </Facts>
      </div>
      <div className="grid gap-2 md:grid-cols-3">
        {choices.map((choice) => (
          <label
            key={choice.action}
            data-choice={choice.action}
            className={`flex min-w-0 flex-col gap-2 rounded-md border p-3 ${choice.action === chosen ? "border-accent bg-accent-wash" : "border-line-strong bg-raised"}`}
          >
            <span className="flex items-center gap-2 font-semibold">
              <input
                type="radio"
                name="choice"
                className="size-4 accent-accent"
                disabled={!onChoose}
                checked={choice.action === chosen}
                onChange={() => onChoose?.(choice.action)}
              />
              {say.action[choice.action]}
            </span>
            <span className="text-soft">{say.what[choice.action]}</span>
            {occupied && choice.action === "retry" ? <FailsAgain /> : <Outcome choice={choice} />}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Replaces the outcome of a retry while something else is at its target. */
function FailsAgain() {
  const { held: say } = useVaultWords();
  return (
    <span className="flex items-start gap-1 font-medium text-stop-ink" data-fails-again>
      <TriangleAlert size={14} aria-hidden="true" className="mt-0.5 shrink-0" />
      {say.failsAgain}
    </span>
  );
}

function Outcome({ choice: { endsAt, matches, operations } }: { choice: Choice }) {
  const { held: say, operation } = useVaultWords();
  const Sign = matches ? CircleCheck : TriangleAlert;
  return (
    <>
      <span className="flex flex-col gap-0.5">
        <span className="text-xs text-faint">{say.endsAt}</span>
        <Path>{shown(endsAt, say.nowhere)}</Path>
        <span
          className={`flex items-center gap-1 text-xs font-medium ${matches ? "text-run-ink" : "text-stop-ink"}`}
          data-matches={matches}
        >
          <Sign size={14} aria-hidden="true" className="shrink-0" />
          {matches ? say.matches : say.differs}
        </span>
      </span>
      <span className="flex flex-col gap-0.5 text-xs text-soft">
        {operations.map(({ type, seq, outcome }) => (
          <span key={seq}>
            {operation[type]}: {say.outcome[outcome]}
          </span>
        ))}
      </span>
    </>
  );
}

function Path({ children }: { children: string }) {
  return <span className="path font-mono text-xs">{children}</span>;
}
