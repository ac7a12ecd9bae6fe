import { errorText } from "@andon/contract";
import type { JobDetail } from "../api/client.ts";
import { useWords } from "../i18n/words.ts";
import { Panel } from "../ui/panel.tsx";
import { jsonText, TextBlock } from "../ui/text-block.tsx";
import { JobProgress, partOf } from "./job-progress.tsx";

/** The job's error, stack, payload, progress and result, the error first. */
export function Contents({ job }: { job: JobDetail }) {
  const { job: say } = useWords();
  const stack = job.history.at(-1)?.stack;
  const part = partOf(job.progress);
  const blocks: readonly (readonly [string, string | null])[] = [
    [say.error, job.error && errorText(job.error)],
    [say.stack, job.error && stack ? stack : null],
    [say.payload, jsonText(job.payload)],
    [say.progress, job.progress === null || part?.isAll ? null : jsonText(job.progress)],
    [say.cursor, job.cursor === null ? null : jsonText(job.cursor)],
    [say.result, job.result === null ? null : jsonText(job.result)],
  ];
  return (
    <Panel title={job.error ? `${say.error} · ${say.payload}` : say.payload}>
      <div className="flex flex-col gap-3 p-3 sm:p-4">
        {part && <JobProgress part={part} />}
        {blocks.map(([label, text]) => text !== null && <TextBlock key={label} label={label} text={text} />)}
      </div>
    </Panel>
  );
}
