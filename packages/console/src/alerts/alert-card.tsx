import { CircleCheck, OctagonAlert, TriangleAlert } from "lucide-react";
import type { Alert } from "../api/client.ts";
import { JobPageLink } from "../app-parts.tsx";
import { useWords } from "../i18n/words.ts";
import { jobPath, Link, queuePath } from "../ui/link.tsx";
import { jsonText } from "../ui/text-block.tsx";
import { Span, Time } from "../ui/time.tsx";
import { AlertActions } from "./alert-actions.tsx";

/** One alert: what, since when, where to look, and whether anybody was told. */
export function AlertCard({ alert }: { alert: Alert }) {
  const { alerts: say, board, job, queue: queueWords } = useWords();
  const isFiring = alert.resolvedAt === null;
  const tone = !isFiring ? "text-soft" : alert.severity === "CRITICAL" ? "text-stop-ink" : "text-warn-ink";
  const Sign = !isFiring ? CircleCheck : alert.severity === "CRITICAL" ? OctagonAlert : TriangleAlert;
  const { queue, syncEventId, error } = alert.details;
  return (
    <article data-row={alert.id} className="rounded-lg border border-line bg-panel px-4 py-3">
      <div className="flex items-start gap-3">
        <Sign size={20} aria-hidden="true" className={`mt-0.5 shrink-0 ${tone}`} />
        <div className="min-w-0 flex-1">
          <p className={`flex flex-wrap gap-x-2 text-xs font-semibold ${tone}`}>
            {say.severity[alert.severity]} · {isFiring ? say.firing : say.resolved}
            <span className="font-mono font-normal">{alert.type}</span>
          </p>
          <h2 className="font-semibold">{alert.title}</h2>
          <p className="whitespace-pre-line text-soft">{alert.message}</p>
          {typeof error === "string" && <p className="mt-1 font-medium wrap-anywhere">{error}</p>}
          <p className="mt-1 text-faint">
            {say.since} <Time at={alert.firedAt} show="both" />
            {alert.resolvedAt && (
              <>
                {" "}
                · {say.ended} <Time at={alert.resolvedAt} show="absolute" /> (
                <Span from={alert.firedAt} to={alert.resolvedAt} />)
              </>
            )}
          </p>
          <p className="mt-1 flex flex-wrap gap-x-4">
            {typeof queue === "string" && (
              <Link row to={queuePath(queue)} label={`${board.goLook}: ${queue}`}>
                {queueWords.title} {queue}
              </Link>
            )}
            {typeof syncEventId === "string" && <Link to={jobPath(syncEventId)}>{job.title}</Link>}
            {typeof queue === "string" && typeof syncEventId === "string" && (
              <JobPageLink queue={queue} jobId={syncEventId} />
            )}
            <Runbook address={alert.links.runbook} />
          </p>
          <AlertActions alert={alert} />
          <Deliveries alert={alert} />
          <details className="mt-1">
            <summary className="text-xs text-faint">{say.details}</summary>
            <pre className="overflow-x-auto font-mono text-xs whitespace-pre-wrap">
              {jsonText(alert.details)}
            </pre>
          </details>
        </div>
      </div>
    </article>
  );
}

/** A page of the web is a link; one of the documentation is told by its path. */
function Runbook({ address }: { address: string }) {
  const { alerts: say } = useWords();
  if (!/^https?:/.test(address)) {
    return (
      <span className="text-faint">
        {say.runbook}: <span className="font-mono">{address}</span>
      </span>
    );
  }
  return (
    <a href={address} target="_blank" rel="noreferrer" className="text-accent underline">
      {say.runbook}
    </a>
  );
}

function Deliveries({ alert: { deliveries } }: { alert: Alert }) {
  const { alerts: say } = useWords();
  if (deliveries.length === 0) {
    return (
      <p className="mt-1 text-xs text-faint">
        {say.delivery}: {say.noChannels}
      </p>
    );
  }
  return (
    <ul className="mt-1 text-xs text-soft">
      {deliveries.map(({ channel, state, attempts, lastError }) => (
        <li key={channel} className={state === "FAILED" ? "text-stop-ink" : ""}>
          {channel}: {say.deliveries[state]} ({attempts}){lastError && ` · ${lastError}`}
        </li>
      ))}
    </ul>
  );
}
