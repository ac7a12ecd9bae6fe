import { CircleAlert, ImageUp } from "lucide-react";
import type { Task } from "../api.ts";
import { useStudioWords } from "../i18n/words.ts";
import { usePhaseName } from "../status-mark.tsx";
import { When } from "../when.tsx";
import { hasRetriesLeft } from "./task-dialogs.tsx";

/** What needs a person: why the task failed, or what it waits for. Empty if the task needs nobody. */
export function AttentionBand({ task }: { task: Task }) {
  if (task.status === "failed") return <Failed task={task} />;
  return task.waitsFor?.event === "images" ? <WaitsForImages until={task.waitsFor.until} /> : null;
}

function Failed({ task }: { task: Task }) {
  const say = useStudioWords();
  const phaseName = usePhaseName();
  return (
    <div
      data-attention="failed"
      className="flex items-start gap-3 rounded-lg bg-stop-wash px-4 py-3 text-stop-ink"
    >
      <CircleAlert size={20} aria-hidden="true" className="mt-0.5 shrink-0" />
      <div className="min-w-0">
        <p className="font-semibold">
          {say.failedIn(phaseName(task.type))}
          {task.completedAt && (
            <>
              {" · "}
              <When at={task.completedAt} />
            </>
          )}
        </p>
        {task.error !== null && <p className="font-medium wrap-anywhere whitespace-pre-wrap">{task.error}</p>}
        <p className="mt-1">{say.failedTodo[task.errorCode ?? ""] ?? say.failedHint}</p>
        {!hasRetriesLeft(task) && <p>{say.retriesUsed(task.maxRetries)}</p>}
        {isCode(task.errorCode) && <p className="mt-1 font-mono text-xs">{task.errorCode}</p>}
      </div>
    </div>
  );
}

/** Codes of the error catalogue are documented; the name of an error class is not. */
function isCode(code: string | null): boolean {
  return code !== null && /^[A-Z][A-Z0-9_-]+$/.test(code);
}

function WaitsForImages({ until }: { until: string | null }) {
  const say = useStudioWords();
  return (
    <div
      data-attention="images"
      className="flex items-start gap-3 rounded-lg bg-warn-wash px-4 py-3 text-warn-ink"
    >
      <ImageUp size={20} aria-hidden="true" className="mt-0.5 shrink-0" />
      <div className="min-w-0">
        <p className="font-semibold">{say.waitsForImages}</p>
        <p>
          {say.waitsHint}
          {until !== null && (
            <>
              {" "}
              {say.waitsUntil} <When at={until} />
            </>
          )}
        </p>
      </div>
    </div>
  );
}
