import type { JobAction } from "@andon/contract";
import type { JobDetail } from "../api/client.ts";
import { useWords } from "../i18n/words.ts";
import { CopyButton } from "../ui/copy.tsx";

/** The text quoted for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

const NEEDS_REASON: readonly JobAction[] = ["skip"];

/** The reason is blank, which the server refuses, so that the person who runs the command must write one. */
const BLANK = "";

function curlOf(action: JobAction, id: string): string {
  const body = NEEDS_REASON.includes(action)
    ? ` -H 'content-type: application/json' -d ${quoted(JSON.stringify({ reason: BLANK }))}`
    : "";
  return `curl -X POST -H "authorization: Bearer $ANDON_TOKEN"${body} ${quoted(`${location.origin}/admin/jobs/${id}/${action}`)}`;
}

/** The command's default server. */
const DEFAULT_ORIGIN = "http://127.0.0.1:8400";

function cliOf(action: JobAction, ticket: string): string {
  const why = NEEDS_REASON.includes(action) ? ` --reason ${quoted(BLANK)}` : "";
  const where = location.origin === DEFAULT_ORIGIN ? "" : ` --url ${quoted(location.origin)}`;
  return `andon ${action} ${ticket}${why}${where}`;
}

/** The decisions about a job as commands for a terminal. */
export function Commands({ job }: { job: JobDetail }) {
  const { job: say, act } = useWords();
  if (job.actions.length === 0) return null;
  return (
    <div className="border-t border-line px-3 py-2 sm:px-4">
      <h3 className="text-xs font-semibold text-faint">{say.commands}</h3>
      <ul>
        {job.actions.map((action) => (
          <li key={action} className="flex flex-wrap items-center justify-between gap-x-2">
            {act[action]}
            <span className="flex">
              <CopyButton text={cliOf(action, job.ticket)} label={say.cli} />
              <CopyButton text={curlOf(action, job.id)} label={say.curl} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
