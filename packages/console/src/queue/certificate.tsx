import { errorText } from "@andon/contract";
import { useQuery } from "@tanstack/react-query";
import { BadgeCheck, CircleAlert } from "lucide-react";
import type { StopVerdict } from "../api/client.ts";
import { queries } from "../api/queries.ts";
import { useWords } from "../i18n/words.ts";
import { Dialog } from "../ui/dialog.tsx";
import { jobPath, Link } from "../ui/link.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { Fact, Facts } from "../ui/panel.tsx";
import { Time } from "../ui/time.tsx";

interface CertificateProps {
  readonly queue: string;
  readonly stopId: string;
  readonly onClose: () => void;
}

/** The certificate of a stop. The server verifies it against the feed and the claim log when it is opened. */
export function Certificate({ queue, stopId, onClose }: CertificateProps) {
  const { certificate: say } = useWords();
  const query = useQuery(queries.certificate(queue, stopId));
  return (
    <Dialog title={say.title} onClose={onClose} wide>
      <Loaded query={query}>
        {(verdict) => (
          <>
            <Verdict verdict={verdict} />
            <CertificateFacts verdict={verdict} />
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

function Verdict({ verdict: { holds, inFeed, feedKept, violations } }: { verdict: StopVerdict }) {
  const { certificate: say } = useWords();
  if (holds) {
    return (
      <p className="flex items-center gap-2 rounded-md bg-run-wash px-3 py-2 text-run-ink">
        <BadgeCheck size={18} aria-hidden="true" className="shrink-0" />
        {say.holds}
      </p>
    );
  }
  return (
    <div role="alert" className="flex gap-2 rounded-md bg-stop-wash px-3 py-2 text-stop-ink">
      <CircleAlert size={18} aria-hidden="true" className="mt-0.5 shrink-0" />
      <div>
        <p className="font-medium">{say.broken}</p>
        {feedKept && <p>{inFeed ? say.inFeed : say.notInFeed}</p>}
        {violations.length > 0 && <p>{say.violations(violations.length)}</p>}
      </div>
    </div>
  );
}

function CertificateFacts({ verdict: { certificate } }: { verdict: StopVerdict }) {
  const { certificate: say, queue } = useWords();
  const { inFlight, lastStarted, error, jobId } = certificate;
  return (
    <Facts>
      <Fact name={say.id}>
        <span className="font-mono break-all">{certificate.id}</span>
      </Fact>
      <Fact name={say.at}>
        <Time at={certificate.at} show="both" />
      </Fact>
      <Fact name={say.kind}>{queue.stopKind[certificate.kind]}</Fact>
      <Fact name={say.actor}>{certificate.actor}</Fact>
      <Fact name={say.reason}>{certificate.reason}</Fact>
      {jobId && (
        <Fact name={say.job}>
          <JobLink id={jobId} />
        </Fact>
      )}
      {error && <Fact name={say.error}>{errorText(error)}</Fact>}
      <Fact name={say.inFlight}>
        {inFlight.length === 0 && say.inFlightNone}
        <ul>
          {inFlight.map((job) => (
            <li key={job.jobId}>
              <JobLink id={job.jobId} /> · {job.worker} · <Time at={job.startedAt} show="absolute" />
            </li>
          ))}
        </ul>
      </Fact>
      {lastStarted && (
        <Fact name={say.lastStarted}>
          <JobLink id={lastStarted.jobId} /> · <Time at={lastStarted.at} show="absolute" />
        </Fact>
      )}
      <Fact name={say.lastClaim}>{certificate.lastClaim}</Fact>
      <Fact name={say.epoch}>{certificate.epoch}</Fact>
      {certificate.resumedAt && (
        <Fact name={say.resumed}>
          <Time at={certificate.resumedAt} show="both" /> · {certificate.resumedBy}
        </Fact>
      )}
    </Facts>
  );
}

function JobLink({ id }: { id: string }) {
  return (
    <Link to={jobPath(id)} className="font-mono break-all text-accent hover:underline">
      {id}
    </Link>
  );
}
