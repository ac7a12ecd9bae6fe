import {
  Button,
  type Column,
  Empty,
  Link,
  ListTabs,
  Loaded,
  PageHead,
  Paging,
  Row,
  Table,
  Time,
  useAddress,
  useAllowed,
  useLiveQuery,
  useNumber,
} from "@andon/console/room";
import { useState } from "react";
import { BULK_STATES } from "../contract/states.ts";
import { type BulkJob, type BulkState, broadcastQueries, jobAddress, jobsIn } from "./api.ts";
import { useBroadcastWords } from "./i18n/words.ts";
import { JobProgress } from "./job-progress.tsx";
import { NewJobDialog } from "./new-job-dialog.tsx";
import { StateMark } from "./state-mark.tsx";

/** Bulk jobs, newest first, with what they do now. */
export default function JobsRoom() {
  const say = useBroadcastWords();
  const { search, page, change } = useAddress();
  const [isMaking, setMaking] = useState(false);
  const mayOperate = useAllowed({ permission: "bulk.operate" });
  const state = BULK_STATES.find((each) => each === search.state);
  const query = useLiveQuery(broadcastQueries.jobs(state, page));
  return (
    <>
      <PageHead title={say.jobs}>
        {mayOperate && (
          <Button tone="primary" onClick={() => setMaking(true)}>
            {say.make}
          </Button>
        )}
      </PageHead>
      <section aria-label={say.jobs} className="rounded-lg border border-line bg-panel shadow-panel">
        <StateTabs state={state} />
        <Loaded query={query}>
          {(data) =>
            data.items.length === 0 ? (
              <Empty title={say.none} hint={say.noneHint} />
            ) : (
              <>
                <JobTable jobs={data.items} />
                <Paging page={data} onPage={(next) => change({ page: String(next) })} />
              </>
            )
          }
        </Loaded>
      </section>
      {isMaking && <NewJobDialog onClose={() => setMaking(false)} />}
    </>
  );
}

function StateTabs({ state }: { state: BulkState | undefined }) {
  const say = useBroadcastWords();
  const tab = (key: BulkState | "all", label: string, asked?: BulkState) => ({
    key,
    label,
    to: jobsIn(asked),
    isHere: asked === state,
  });
  const tabs = [tab("all", say.all), ...BULK_STATES.map((each) => tab(each, say.states[each], each))];
  return <ListTabs label={say.state} tabs={tabs} />;
}

function JobTable({ jobs }: { jobs: readonly BulkJob[] }) {
  const say = useBroadcastWords();
  const number = useNumber();
  const columns: readonly Column[] = [
    { label: say.title },
    { label: say.state },
    { label: say.progress, free: true },
    { label: say.rate, wide: true, end: true },
    { label: say.end, wide: true },
  ];
  const cells = (job: BulkJob) => [
    <div key="title" className="min-w-24">
      <Link row to={jobAddress(job.id)}>
        <span className="wrap-anywhere">{job.title}</span>
      </Link>
      <p className="text-xs text-faint wrap-anywhere">
        {job.category}
        {job.scheduledAt && (
          <>
            {" · "}
            <Time at={job.scheduledAt} show="absolute" />
          </>
        )}
      </p>
    </div>,
    <StateMark key="state" state={job.state} />,
    <div key="progress">
      <JobProgress job={job} />
      {job.cursor !== null && (
        <p className="text-xs text-faint wrap-anywhere">
          {say.cursor} {job.cursor}
        </p>
      )}
    </div>,
    job.ratePerSecond === null ? "–" : number(Math.round(job.ratePerSecond)),
    job.estimatedEndAt === null ? "–" : <Time key="end" at={job.estimatedEndAt} />,
  ];
  return (
    <Table label={say.jobs} columns={columns}>
      {jobs.map((job) => (
        <Row key={job.id} about={job.id} columns={columns} cells={cells(job)} />
      ))}
    </Table>
  );
}
