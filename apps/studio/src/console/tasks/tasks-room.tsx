import {
  Button,
  Empty,
  Link,
  Loaded,
  PageHead,
  Paging,
  queuePath,
  useAddress,
  useAllowed,
  useLiveQuery,
} from "@andon/console/room";
import { CircleCheck, Clapperboard, Plus } from "lucide-react";
import { useState } from "react";
import { studioQueries } from "../api.ts";
import { useStudioWords } from "../i18n/words.ts";
import { NewTaskDialog } from "./new-task-dialog.tsx";
import { TaskTable } from "./task-table.tsx";
import { ALL, TaskTabs, tabsOf } from "./task-tabs.tsx";

/** Tasks by tab, latest scheduled time first. */
export default function TasksRoom() {
  const say = useStudioWords();
  const { search, page, change } = useAddress();
  const [isMaking, setMaking] = useState(false);
  const mayWrite = useAllowed({ permission: "tasks.write" });
  const maySeeQueue = useAllowed({ permission: "queue.read", whole: true });
  const { data: counts } = useLiveQuery(studioQueries.counts());
  const asked = search.tab ?? ALL;
  const query = useLiveQuery(studioQueries.tasks(asked === ALL ? undefined : asked, page));
  return (
    <>
      <PageHead title={say.tasks}>
        {maySeeQueue && <Link to={queuePath("studio")}>{say.queue} studio</Link>}
        {mayWrite && (
          <Button tone="primary" icon={<Plus size={15} aria-hidden="true" />} onClick={() => setMaking(true)}>
            {say.make}
          </Button>
        )}
      </PageHead>
      <section
        aria-label={say.tabs[asked] ?? asked}
        className="rounded-lg border border-line bg-panel shadow-panel"
      >
        <TaskTabs tab={asked} counts={counts} />
        <Loaded query={query}>
          {(data) =>
            data.items.length === 0 ? (
              <NoTasks
                tab={asked}
                isKnown={counts === undefined || tabsOf(counts).includes(asked)}
                onMake={mayWrite ? () => setMaking(true) : undefined}
              />
            ) : (
              <>
                <TaskTable tasks={data.items} />
                <Paging page={data} onPage={(next) => change({ page: String(next) })} />
              </>
            )
          }
        </Loaded>
      </section>
      {isMaking && <NewTaskDialog onClose={() => setMaking(false)} />}
    </>
  );
}

interface NoTasksProps {
  readonly tab: string;
  readonly isKnown: boolean;
  readonly onMake: (() => void) | undefined;
}

/** Says what this tab lists, and how to get a task there. */
function NoTasks({ tab, isKnown, onMake }: NoTasksProps) {
  const say = useStudioWords();
  if (!isKnown) return <Empty title={say.unknownTab(tab)} icon={Clapperboard} />;
  const [title, hint] = say.empty[tab] ?? say.emptyPhase;
  return (
    <Empty title={title} hint={hint} icon={tab === "failed" ? CircleCheck : Clapperboard}>
      {tab === ALL && onMake && (
        <div className="pt-2">
          <Button onClick={onMake}>{say.make}</Button>
        </div>
      )}
    </Empty>
  );
}
