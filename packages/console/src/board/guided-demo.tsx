import { DEMO_QUEUE } from "@andon/contract";
import { Check, Play } from "lucide-react";
import { useState } from "react";
import { api, type QueueOverview } from "../api/client.ts";
import { queries, useLiveQuery } from "../api/queries.ts";
import { queryClient } from "../api/query-client.ts";
import { useWords } from "../i18n/words.ts";
import { useAllowed } from "../session/session.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { DecisionDialog } from "../ui/decision-dialog.tsx";
import { Link, queuePath } from "../ui/link.tsx";
import { Panel } from "../ui/panel.tsx";
import { Problem } from "../ui/problem.tsx";

const STEPS = ["copying", "failing", "stopped", "plugged", "done"] as const;
type Step = (typeof STEPS)[number];

interface GuidedDemoProps {
  /** The demo's own queue, once it exists. */
  readonly queue: QueueOverview | undefined;
}

/** The guided demo: the offer on an empty system, and the guide while it runs. */
export function GuidedDemo({ queue }: GuidedDemoProps) {
  const { demo } = useWords();
  const mayPlay = useAllowed({ permission: "admin", whole: true });
  const { data: status } = useLiveQuery({ ...queries.demo(), enabled: mayPlay });
  const [open, setOpen] = useState<"start" | "remove">();
  const [isPlugging, setPlugging] = useState(false);
  const [error, setError] = useState<unknown>();
  if (!mayPlay || !status) return null;
  const step = queue && status.state !== "none" ? stepOf(queue, status.isNasAway) : undefined;
  const close = () => setOpen(undefined);
  const plug = async () => {
    setPlugging(true);
    setError(undefined);
    try {
      queryClient.setQueryData(queries.demo().queryKey, await api().demo.plug());
    } catch (refused) {
      setError(refused);
    } finally {
      setPlugging(false);
    }
  };
  return (
    <Panel title={demo.title}>
      <div className="flex flex-col gap-3 px-3 py-3 sm:px-4">
        {step === undefined ? (
          <>
            <p className="max-w-prose text-soft">{demo.intro}</p>
            <p>
              <Button
                tone="primary"
                icon={<Play size={15} aria-hidden="true" />}
                onClick={() => setOpen("start")}
              >
                {demo.start}
              </Button>
            </p>
          </>
        ) : (
          <>
            <Steps step={step} />
            <p className="max-w-prose" role="status">
              {status.state === "here" ? demo.says[step] : demo.elsewhere}
            </p>
            {error !== undefined && <Problem error={error} of="decision" />}
            <div className="flex flex-wrap gap-2">
              {status.state === "here" && step === "stopped" && (
                <Button tone="primary" disabled={isPlugging} onClick={() => void plug()}>
                  {demo.plug}
                </Button>
              )}
              <Link
                to={queuePath(DEMO_QUEUE)}
                className={buttonClass(step === "plugged" ? "primary" : "plain")}
              >
                {demo.lookAt}
              </Link>
              {status.state === "here" && (
                <Button tone={step === "done" ? "primary" : "quiet"} onClick={() => setOpen("remove")}>
                  {demo.remove}
                </Button>
              )}
            </div>
          </>
        )}
      </div>
      {open === "start" && (
        <DecisionDialog
          title={demo.startTitle}
          effects={demo.startEffects}
          confirm={demo.start}
          reason="none"
          decide={async () => {
            await api().demo.start({});
            return { message: demo.started };
          }}
          onClose={close}
        />
      )}
      {open === "remove" && (
        <DecisionDialog
          title={demo.removeTitle}
          effects={demo.removeEffects}
          confirm={demo.remove}
          reason="none"
          decide={async () => {
            await api().demo.remove();
            return { message: demo.removed };
          }}
          onClose={close}
        />
      )}
    </Panel>
  );
}

function stepOf({ isPaused, failed, waiting, active, delayed }: QueueOverview, isNasAway: boolean): Step {
  if (isNasAway) return isPaused ? "stopped" : "failing";
  if (isPaused) return "plugged";
  return waiting + active + delayed + failed === 0 ? "done" : "copying";
}

/** The steps of the demo. Completed steps have a tick. */
function Steps({ step }: { step: Step }) {
  const { demo } = useWords();
  const now = STEPS.indexOf(step);
  return (
    <ol className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
      {STEPS.map((each, index) => {
        const isBehind = index < now || step === "done";
        const tone = index === now ? "font-semibold text-ink" : isBehind ? "text-run-ink" : "text-faint";
        return (
          <li
            key={each}
            {...(index === now ? { "aria-current": "step" as const } : {})}
            className={`flex items-center gap-1.5 ${tone}`}
          >
            <span
              className={`grid size-5 place-items-center rounded-full border text-xs ${index === now ? "border-accent bg-accent text-on-accent" : "border-line-strong"}`}
            >
              {isBehind ? <Check size={12} aria-hidden="true" /> : index + 1}
            </span>
            {demo.steps[each]}
          </li>
        );
      })}
    </ol>
  );
}
