import {
  Button,
  Count,
  Empty,
  Fact,
  Facts,
  Link,
  Loaded,
  Panel,
  ProgressBar,
  Span,
  TextBlock,
  Time,
  useQueries,
  useQuery,
} from "@andon/console/room";
import { CircleHelp, Hourglass, TriangleAlert } from "lucide-react";
import { useState } from "react";
import type { DriftKind, DriftRun } from "../api.ts";
import { useVaultWords } from "../i18n/words.ts";
import { vaultQueries } from "../queries.ts";
import { isAnyRepairable, KINDS } from "./drift-kinds.ts";
import { Findings } from "./findings.tsx";
import { RepairDialog } from "./repair-dialog.tsx";
import { RunTrouble } from "./run-trouble.tsx";

const ASK_WHILE_RUNNING_MS = 1_000;

/** One comparison: its progress and its findings. */
export function Run({ id, mayDecide }: { id: string; mayDecide: boolean }) {
  const query = useQuery({
    ...vaultQueries.drift(id),
    refetchInterval: ({ state }) => (state.data?.state === "RUNNING" ? ASK_WHILE_RUNNING_MS : false),
  });
  return <Loaded query={query}>{(run) => <RunPanels run={run} mayDecide={mayDecide} />}</Loaded>;
}

/** The number of findings of each kind: all, or only those without a queued repair. */
function useCounts({ id, findings }: DriftRun, open: boolean): ReadonlyMap<DriftKind, number> {
  const found = useQueries({
    queries: KINDS.map((kind) => ({
      ...vaultQueries.findingCount(id, kind, open, findings),
      enabled: findings > 0,
      placeholderData: (before: number | undefined) => before,
    })),
  });
  return new Map(KINDS.map((kind, index) => [kind, found[index]?.data ?? 0]));
}

function RunPanels({ run, mayDecide }: { run: DriftRun; mayDecide: boolean }) {
  const { drift: say } = useVaultWords();
  const [isRepairing, setRepairing] = useState(false);
  const counts = useCounts(run, false);
  const open = useCounts(run, true);
  const canRepair = run.state !== "RUNNING" && isAnyRepairable(open);
  return (
    <>
      <Panel
        title={say.run}
        hint={say.how[run.checksum ? "checksum" : "sizes"]}
        aside={mayDecide && canRepair && <Button onClick={() => setRepairing(true)}>{say.repair}</Button>}
      >
        <RunFacts run={run} />
        {run.state === "RUNNING" && <RunTrouble jobId={run.jobId} />}
      </Panel>
      {run.findings > 0 ? (
        <Findings run={run} counts={counts} />
      ) : (
        <section aria-label={say.findings} className="rounded-lg border border-line bg-panel shadow-panel">
          {run.state === "DONE" ? (
            <NothingDiffers leftOut={run.filesLeftOut} />
          ) : (
            <Empty title={say.stillClean} icon={run.state === "FAILED" ? TriangleAlert : Hourglass} />
          )}
        </section>
      )}
      {isRepairing && <RepairDialog runId={run.id} counts={open} onClose={() => setRepairing(false)} />}
    </>
  );
}

/** Everything is known to be in its place only if every file was compared. */
function NothingDiffers({ leftOut }: { leftOut: number | undefined }) {
  const { drift: say } = useVaultWords();
  if (leftOut === 0) return <Empty title={say.clean} />;
  return (
    <Empty title={say.nothingDiffers} icon={CircleHelp}>
      <p className="text-faint">{leftOut === undefined ? say.cleanHint : <LeftOut count={leftOut} />}</p>
    </Empty>
  );
}

function LeftOut({ count }: { count: number }) {
  const { drift: say, held } = useVaultWords();
  return (
    <>
      {say.leftOut(count)} <Link to="/vault/held">{held.title}</Link>
    </>
  );
}

const STATE_INK = { RUNNING: "text-hand-ink", DONE: "text-run-ink", FAILED: "text-stop-ink" };

function RunFacts({
  run: { state, startedAt, finishedAt, filesChecked, filesLeftOut = 0, findings, error },
}: {
  run: DriftRun;
}) {
  const { drift: say } = useVaultWords();
  return (
    <div data-drift={state} role="status">
      {state === "RUNNING" && (
        <div className="px-3 pt-3 sm:px-4">
          <ProgressBar label={say.running} />
        </div>
      )}
      <Facts>
        <Fact name={say.stands}>
          <span className={`font-medium ${STATE_INK[state]}`}>{say.state[state]}</span>
        </Fact>
        <Fact name={say.startedAt}>
          <Time at={startedAt} show="both" />
        </Fact>
        <Fact name={say.took}>
          <Span from={startedAt} to={finishedAt} />
        </Fact>
        <Fact name={say.checked}>
          <Count value={filesChecked - filesLeftOut} />
        </Fact>
        {filesLeftOut > 0 && (
          <Fact name={say.notCompared}>
            <span data-left-out={filesLeftOut}>
              <LeftOut count={filesLeftOut} />
            </span>
          </Fact>
        )}
        <Fact name={say.differences}>
          <Count value={findings} />
        </Fact>
      </Facts>
      {error && (
        <div className="px-3 pb-3 sm:px-4">
          <TextBlock label={say.error} text={error} />
        </div>
      )}
    </div>
  );
}
