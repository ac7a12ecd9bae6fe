import type { ReactNode } from "react";
import type { JobDetail } from "../api/client.ts";
import { useWords } from "../i18n/words.ts";
import { jobsPath, Link, queuePath } from "../ui/link.tsx";
import { Fact, Facts, Panel } from "../ui/panel.tsx";
import { exactSpanText, Time } from "../ui/time.tsx";
import { attemptsOf } from "./attempts.ts";
import { Commands } from "./commands.tsx";

/** The job's ids, lanes and times. */
export function JobFacts({ job }: { job: JobDetail }) {
  const { job: say } = useWords();
  return (
    <Panel title={say.title}>
      <Facts>
        <Fact name={say.ticket}>
          <Code>#{job.ticket}</Code>
        </Fact>
        <Fact name={say.id}>
          <Code>{job.id}</Code>
        </Fact>
        <Fact name={say.queue}>
          <Link to={queuePath(job.queue)}>{job.queue}</Link>
        </Fact>
        <Fact name={say.name}>{job.name}</Fact>
        <Fact name={say.keys}>
          <Lanes job={job} />
        </Fact>
        {job.seq !== null && <Fact name={say.seq}>{job.seq}</Fact>}
        <Fact name={say.tenant}>{job.tenantId}</Fact>
        <Fact name={say.priority}>{job.priority}</Fact>
        <Fact name={say.attempts}>
          {job.state === "running" ? say.attemptRuns(attemptsOf(job)) : attemptsOf(job)}
        </Fact>
        {job.stages && (
          <Fact name={say.stages}>
            <Stages stages={job.stages} />
          </Fact>
        )}
        {job.awaits && (
          <Fact name={say.awaits}>
            <Code>{job.awaits.event}</Code>
            {job.awaits.until && (
              <>
                {" · "}
                <Time at={job.awaits.until} show="both" />
              </>
            )}
          </Fact>
        )}
        <TimeFact name={say.created} at={job.createdAt} />
        <TimeFact name={say.runAt} at={job.runAt} />
        <TimeFact name={say.started} at={job.startedAt} />
        <TimeFact name={say.finished} at={job.finishedAt} />
        {job.worker && (
          <Fact name={say.worker}>
            <Code>{job.worker}</Code>
          </Fact>
        )}
        {job.traceId && (
          <Fact name={say.trace}>
            <Code>{job.traceId}</Code>
          </Fact>
        )}
        {job.error && (
          <Fact name={say.fingerprint}>
            <Link to={jobsPath({ queue: job.queue, fingerprint: job.error.fingerprint })}>{say.same}</Link>
          </Fact>
        )}
      </Facts>
      <Commands job={job} />
    </Panel>
  );
}

function Stages({ stages }: { stages: NonNullable<JobDetail["stages"]> }) {
  const words = useWords();
  return (
    <ol>
      {stages.map(({ name, status, elapsedMs }) => (
        <li key={name}>
          <Code>{name}</Code> · {words.job.stageStatus[status]}
          {elapsedMs > 0 && ` · ${exactSpanText(elapsedMs, words)}`}
        </li>
      ))}
    </ol>
  );
}

function TimeFact({ name, at }: { name: string; at: string | null }) {
  if (at === null) return null;
  return (
    <Fact name={name}>
      <Time at={at} show="both" />
    </Fact>
  );
}

function Code({ children }: { children: ReactNode }) {
  return <span className="font-mono text-xs break-all">{children}</span>;
}

function Lanes({ job }: { job: JobDetail }) {
  const { job: say } = useWords();
  if (job.keys.length === 0) return <span className="text-faint">{say.noKeys}</span>;
  return (
    <ul>
      {job.keys.map((key) => (
        <li key={key}>
          <Link to={jobsPath({ queue: job.queue, key })}>{key}</Link>
        </li>
      ))}
    </ul>
  );
}
