import {
  Fact,
  Facts,
  jobPath,
  Link,
  Panel,
  TextBlock,
  Time,
  useAllowed,
  useNumber,
} from "@andon/console/room";
import type { Task } from "../api.ts";
import { useStudioWords } from "../i18n/words.ts";
import { When } from "../when.tsx";

export function TaskFacts({ task }: { task: Task }) {
  const say = useStudioWords();
  const number = useNumber();
  const maySeeJob = useAllowed({ permission: "queue.read" });
  const hasMade = Object.keys(task.metadata).length > 0;
  return (
    <Panel title={say.facts}>
      <Facts>
        <Fact name={say.scheduled}>
          <When at={task.scheduledTime} />
        </Fact>
        <Fact name={say.priority}>{number(task.priority)}</Fact>
        <Fact name={say.user}>
          <span className="wrap-anywhere">{task.userId}</span>
        </Fact>
        <Fact name={say.language}>{say.form.languages[task.language]}</Fact>
        <Fact name={say.imageSource}>{say.imageSources[task.imageSource]}</Fact>
        <Fact name={say.speech}>{task.speech ? say.yes : say.no}</Fact>
        {(task.retryCount > 0 || task.status === "failed") && (
          <Fact name={say.retries}>{say.retriesOf(task.retryCount, task.maxRetries)}</Fact>
        )}
        <Fact name={say.created}>
          <Time at={task.createdAt} show="absolute" />
        </Fact>
        {task.completedAt !== null && (
          <Fact name={say.ended}>
            <Time at={task.completedAt} show="absolute" />
          </Fact>
        )}
        <Fact name={say.job}>
          {maySeeJob ? (
            <Link to={jobPath(task.taskId)}>
              <span className="path font-mono text-xs">{task.taskId}</span>
            </Link>
          ) : (
            <span className="path font-mono text-xs">{task.taskId}</span>
          )}
        </Fact>
        {task.prompt !== null && (
          <Fact name={say.prompt}>
            <p className="wrap-anywhere whitespace-pre-wrap">{task.prompt}</p>
          </Fact>
        )}
      </Facts>
      {hasMade && (
        <details className="border-t border-line px-3 py-2 sm:px-4">
          <summary className="text-xs font-medium text-soft">{say.outputs}</summary>
          <div className="pt-2">
            <TextBlock label={say.outputs} text={JSON.stringify(task.metadata, null, 2)} />
          </div>
        </details>
      )}
    </Panel>
  );
}
