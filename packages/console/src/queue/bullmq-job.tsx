import { queries, useLiveQuery } from "../api/queries.ts";
import { useWords } from "../i18n/words.ts";
import { Button } from "../ui/button.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { Fact, Facts, Panel } from "../ui/panel.tsx";
import { TextBlock } from "../ui/text-block.tsx";
import { Time } from "../ui/time.tsx";

interface BullmqJobProps {
  readonly queue: string;
  readonly id: string;
  readonly onClose: () => void;
}

/** One failed BullMQ job: its attempts, its data, and its stack. */
export function BullmqJob({ queue, id, onClose }: BullmqJobProps) {
  const { common, job: say, queue: ofQueue } = useWords();
  const query = useLiveQuery(queries.failedJob(queue, id));
  return (
    <Panel title={`#${id}`} aside={<Button onClick={onClose}>{common.close}</Button>}>
      <Loaded query={query}>
        {(job) => (
          <>
            <Facts>
              <Fact name={ofQueue.what}>{job.eventType}</Fact>
              <Fact name={ofQueue.attempts}>
                <ol>
                  {job.attempts.map(({ attemptNumber, error, timestamp }) => (
                    <li key={`${attemptNumber} ${timestamp}`} className="wrap-anywhere">
                      {attemptNumber}. <Time at={timestamp} show="both" /> {error}
                    </li>
                  ))}
                </ol>
              </Fact>
            </Facts>
            <TextBlock label={say.payload} text={JSON.stringify(job.payload, null, 2)} />
            {job.stackTrace && <TextBlock label={say.stack} text={job.stackTrace} />}
          </>
        )}
      </Loaded>
    </Panel>
  );
}
