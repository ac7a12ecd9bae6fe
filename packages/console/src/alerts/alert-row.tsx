import { BellOff, CircleCheck, OctagonAlert, TriangleAlert } from "lucide-react";
import type { Alert } from "../api/client.ts";
import { JobPageLink } from "../app-parts.tsx";
import { useWords } from "../i18n/words.ts";
import { buttonClass } from "../ui/button.tsx";
import { jobPath, Link, queuePath } from "../ui/link.tsx";
import { RunbookLink } from "../ui/runbook-link.tsx";
import { jsonText } from "../ui/text-block.tsx";
import { Span, Time, withLocalTimes } from "../ui/time.tsx";
import { AlertActions } from "./alert-actions.tsx";
import { groupOf } from "./alert-groups.ts";

/** One alert: what, since when, and what to do about it. The rest is collapsed. */
export function AlertRow({ alert, isLinked = false }: { alert: Alert; isLinked?: boolean }) {
  const { alerts: say } = useWords();
  const isOpen = alert.resolvedAt === null;
  const { error } = alert.details;
  const isSaid = typeof error !== "string" || alert.message.includes(error);
  // A test alert shows every delivery, because its purpose is to see whether it arrives.
  const isShown = (state: DeliveryState) => alert.type === "TEST" || isInTrouble(state);
  return (
    <article
      data-row={alert.id}
      className={`flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3 focus-within:bg-accent-wash hover:bg-raised ${isLinked ? "bg-accent-wash" : ""}`}
    >
      <Sign alert={alert} />
      <div className="min-w-0 flex-1 basis-72">
        <h3 className="font-semibold">{alert.title}</h3>
        <p className="text-xs text-faint">
          {say.severity[alert.severity]} · <span className="font-mono">{alert.type}</span> ·{" "}
          {isOpen ? <Time at={alert.firedAt} /> : <Lasted alert={alert} />}
        </p>
        <p className={`mt-1 whitespace-pre-line text-soft ${isSaid ? "line-clamp-6" : "line-clamp-3"}`}>
          {withLocalTimes(alert.message, alert.details, Date.now())}
        </p>
        {!isSaid && <p className="mt-1 font-medium wrap-anywhere">{error}</p>}
        <Taken alert={alert} />
        <Links alert={alert} />
        <Deliveries alert={alert} of={isShown} />
        <details>
          <summary className="w-fit py-1 text-xs text-soft">{say.details}</summary>
          <Deliveries alert={alert} of={(state) => !isShown(state)} />
          <p className="mt-1 text-xs text-faint">
            {say.since} <Time at={alert.firedAt} show="both" />
          </p>
          <pre className="mt-1 overflow-x-auto rounded-md bg-ground px-3 py-2 font-mono text-xs whitespace-pre-wrap">
            {jsonText(alert.details)}
          </pre>
        </details>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {isOpen && <AlertActions alert={alert} />}
        <ToDecision alert={alert} />
      </div>
    </article>
  );
}

function Sign({ alert }: { alert: Alert }) {
  const group = groupOf(alert);
  const isCritical = alert.severity === "CRITICAL";
  const [Icon, tone] =
    group === "resolved"
      ? [CircleCheck, "bg-raised text-faint"]
      : group === "snoozed"
        ? [BellOff, "bg-raised text-soft"]
        : isCritical
          ? [OctagonAlert, "bg-stop-wash text-stop-ink"]
          : [TriangleAlert, "bg-warn-wash text-warn-ink"];
  return (
    <span className={`grid size-9 shrink-0 place-items-center rounded-full ${tone}`}>
      <Icon size={17} aria-hidden="true" />
    </span>
  );
}

/** The link to the queue's page, which has the decision, the causes and the failed jobs. */
function ToDecision({ alert }: { alert: Alert }) {
  const { alerts: say, board } = useWords();
  const { queue } = alert.details;
  if (typeof queue !== "string" || queue === "") return null;
  const isOpen = alert.resolvedAt === null;
  const text = isOpen ? say.decide : board.goLook;
  return (
    <Link
      row
      to={queuePath(queue)}
      label={`${text}: ${queue}`}
      className={buttonClass(
        isOpen && groupOf(alert) === "firing" && alert.severity === "CRITICAL" ? "primary" : "plain",
      )}
    >
      {text}
    </Link>
  );
}

function Lasted({ alert: { firedAt, resolvedAt } }: { alert: Alert }) {
  const { alerts: say } = useWords();
  return (
    <>
      <Time at={firedAt} show="absolute" /> · {say.ended} {resolvedAt && <Time at={resolvedAt} />} (
      <Span from={firedAt} to={resolvedAt} />)
    </>
  );
}

function Taken({ alert: { acknowledged, snoozed, resolvedAt } }: { alert: Alert }) {
  const { alerts: say } = useWords();
  return (
    <>
      {acknowledged && (
        <p className="mt-1 text-xs text-soft">
          {say.acknowledgedBy(acknowledged.by)} <Time at={acknowledged.at} />
          {acknowledged.reason && ` · ${acknowledged.reason}`}
        </p>
      )}
      {snoozed && resolvedAt === null && (
        <p className="mt-1 text-xs text-soft">
          {say.snoozedBy(snoozed.by)} <Time at={snoozed.until} show="absolute" />
        </p>
      )}
    </>
  );
}

function Links({ alert }: { alert: Alert }) {
  const { job } = useWords();
  const { queue, syncEventId } = alert.details;
  return (
    <p className="mt-1 flex flex-wrap gap-x-4 gap-y-1 [&>*]:py-0.5">
      {typeof syncEventId === "string" && <Link to={jobPath(syncEventId)}>{job.title}</Link>}
      {typeof queue === "string" && typeof syncEventId === "string" && (
        <JobPageLink queue={queue} jobId={syncEventId} />
      )}
      <RunbookLink address={alert.links.runbook} />
    </p>
  );
}

type DeliveryState = Alert["deliveries"][number]["state"];

/** Failed deliveries are shown without opening the row, because somebody may not have been notified. */
const isInTrouble = (state: DeliveryState) => state === "FAILED" || state === "RETRYING";

function Deliveries({ alert, of }: { alert: Alert; of: (state: DeliveryState) => boolean }) {
  const { alerts: say } = useWords();
  const deliveries = alert.deliveries.filter(({ state }) => of(state));
  if (alert.deliveries.length === 0) {
    if (!of("DELIVERED")) return null;
    return (
      <p className="text-xs text-faint">
        {say.delivery}: {say.noChannels}
      </p>
    );
  }
  if (deliveries.length === 0) return null;
  return (
    <ul className="text-xs text-soft">
      {deliveries.map(({ channel, state, attempts, lastError }) => (
        <li key={channel} className={state === "FAILED" ? "text-stop-ink" : ""}>
          {channel}: {say.deliveries[state]} ({attempts}){lastError && ` · ${lastError}`}
        </li>
      ))}
    </ul>
  );
}
