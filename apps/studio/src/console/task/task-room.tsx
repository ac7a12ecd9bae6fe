import { RefusedError } from "@andon/client";
import {
  Button,
  Empty,
  Link,
  Loaded,
  PageHead,
  useAllowed,
  useLiveQuery,
  useParams,
} from "@andon/console/room";
import { SearchX } from "lucide-react";
import { useState } from "react";
import { studioQueries, TASKS_ADDRESS, type Task } from "../api.ts";
import { useStudioWords } from "../i18n/words.ts";
import { StatusMark } from "../status-mark.tsx";
import { AttentionBand } from "./attention-band.tsx";
import { FilmPanel } from "./film-panel.tsx";
import { ImagesPanel } from "./images-panel.tsx";
import { LogPanel } from "./log-panel.tsx";
import { PhaseTimeline } from "./phase-timeline.tsx";
import { ScriptPanel } from "./script-panel.tsx";
import { hasRetriesLeft, type TaskAction, TaskDialog } from "./task-dialogs.tsx";
import { TaskFacts } from "./task-facts.tsx";

export default function TaskRoom() {
  const { id } = useParams({ strict: false }) as { id: string };
  const query = useLiveQuery(studioQueries.task(id));
  if (query.error instanceof RefusedError && query.error.code === "TASK_NOT_FOUND") return <NoTask />;
  return <Loaded query={query}>{(task) => <TaskPage key={task.taskId} task={task} />}</Loaded>;
}

/** The address is wrong, or the task has been deleted. */
function NoTask() {
  const say = useStudioWords();
  return (
    <>
      <PageHead title={say.toTask} />
      <section aria-label={say.toTask} className="rounded-lg border border-line bg-panel shadow-panel">
        <Empty title={say.noTask} hint={say.noTaskHint} icon={SearchX}>
          <Link to={TASKS_ADDRESS}>{say.tasks}</Link>
        </Empty>
      </section>
    </>
  );
}

/** The actions of each status, as the API allows them. */
const ACTIONS: Readonly<Record<Task["status"], readonly TaskAction[]>> = {
  waiting: ["cancel", "remove"],
  processing: ["cancel"],
  failed: ["retry", "cancel", "remove"],
  completed: ["remove"],
  cancelled: ["remove"],
};

/** One task: its progress, what it needs from a person, and its results. */
function TaskPage({ task }: { task: Task }) {
  const say = useStudioWords();
  const [open, setOpen] = useState<TaskAction>();
  const mayWrite = useAllowed({ permission: "tasks.write" });
  const mayForce = useAllowed({ permission: "admin" });
  const actions = ACTIONS[task.status].filter(
    (action) => action !== "retry" || hasRetriesLeft(task) || mayForce,
  );
  const label = {
    retry: hasRetriesLeft(task) ? say.retry : say.forceRetry,
    cancel: say.cancel,
    remove: say.remove,
  };
  return (
    <>
      <p>
        <Link to={TASKS_ADDRESS}>{say.tasks}</Link>
      </p>
      <PageHead
        title={
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="wrap-anywhere">{task.title}</span>
            <StatusMark type={task.type} status={task.status} />
          </span>
        }
      >
        {mayWrite &&
          actions.map((action) => (
            <Button
              key={action}
              tone={action === "retry" ? "primary" : action === "remove" ? "stop" : "plain"}
              onClick={() => setOpen(action)}
            >
              {label[action]}
            </Button>
          ))}
      </PageHead>
      <AttentionBand task={task} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <PhaseTimeline task={task} />
          {/* The film is the main content. Before it exists, the images are, because they need people. */}
          {task.hasVideo && <FilmPanel task={task} />}
          <ImagesPanel task={task} />
          {!task.hasVideo && <FilmPanel task={task} />}
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <TaskFacts task={task} />
          <ScriptPanel task={task} />
          <LogPanel logs={task.logs} />
        </div>
      </div>
      {open && <TaskDialog action={open} task={task} onClose={() => setOpen(undefined)} />}
    </>
  );
}
