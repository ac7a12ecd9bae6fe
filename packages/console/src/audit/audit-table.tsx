import type { AuditRow } from "../api/client.ts";
import { useWords } from "../i18n/words.ts";
import { jobPath, Link, queuePath } from "../ui/link.tsx";
import { type Column, Row, Table } from "../ui/table.tsx";
import { jsonText } from "../ui/text-block.tsx";
import { Time } from "../ui/time.tsx";

export function AuditTable({ rows }: { rows: readonly AuditRow[] }) {
  const { audit: say, action, common } = useWords();
  const columns: readonly Column[] = [
    { label: say.when },
    { label: say.what, free: true },
    { label: say.target, wide: true, free: true },
    { label: common.reason, wide: true, free: true },
    { label: say.change, wide: true, free: true },
  ];
  const cells = (row: AuditRow) => [
    <Time key="at" at={row.at} show="absolute" />,
    <div key="what" className="min-w-36">
      <p className="font-medium">{action[row.action] ?? row.action}</p>
      <p className="text-xs text-faint">
        {row.actor} · <span className="font-mono">{row.action}</span>
      </p>
      <div className="text-xs md:hidden">
        <p>
          <Target target={row.target} />
          {row.reason && ` · ${row.reason}`}
        </p>
        <Change row={row} />
      </div>
    </div>,
    <Target key="target" target={row.target} />,
    <span key="reason">{row.reason ?? "–"}</span>,
    <Change key="change" row={row} />,
  ];
  return (
    <Table label={say.title} columns={columns}>
      {rows.map((row) => (
        <Row key={row.id} columns={columns} cells={cells(row)} />
      ))}
    </Table>
  );
}

function Change({ row: { before, after } }: { row: AuditRow }) {
  const { audit: say } = useWords();
  return (
    <details>
      <summary className="text-xs text-faint">{say.change}</summary>
      <pre className="max-w-md font-mono text-xs whitespace-pre-wrap">
        {jsonText(before)} → {jsonText(after)}
      </pre>
    </details>
  );
}

/** `job:<uuid>` and `queue:<name>` are links to the job or queue. */
function Target({ target }: { target: string }) {
  const [kind, ...rest] = target.split(":");
  const name = rest.join(":");
  const path = kind === "job" ? jobPath(name) : kind === "queue" ? queuePath(name) : undefined;
  if (!path) return <span className="break-all">{target}</span>;
  return (
    <Link row to={path} className="break-all text-accent hover:underline">
      {target}
    </Link>
  );
}
