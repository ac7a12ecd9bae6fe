import type { FailureGroup } from "../api/client.ts";
import { queries, useLiveQuery } from "../api/queries.ts";
import { useWords } from "../i18n/words.ts";
import { jobsPath, Link } from "../ui/link.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { useNumber } from "../ui/number.tsx";
import { Panel } from "../ui/panel.tsx";
import { type Column, Row, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";

/** One cause or many? Failures that look alike, and how one of them was settled last. */
export function FailureGroups({ queue }: { queue: string }) {
  const { queue: say } = useWords();
  const number = useNumber();
  const query = useLiveQuery(queries.groups(queue));
  const columns: readonly Column[] = [
    { label: say.groupCount, end: true },
    { label: say.groupCause, free: true },
    { label: say.groupSpan, wide: true },
    { label: say.groupLast, wide: true, free: true },
  ];
  const cells = (group: FailureGroup) => [
    <Link
      key="count"
      row
      to={jobsPath({ queue, state: "failed", fingerprint: group.fingerprint })}
      className="font-semibold text-accent hover:underline"
    >
      {number(group.count)}
    </Link>,
    <div key="cause" className="min-w-40">
      <p className="font-mono text-xs text-faint">{group.code}</p>
      <p className="line-clamp-2">{group.message}</p>
    </div>,
    <p key="span">
      <Time at={group.firstAt} /> – <Time at={group.lastAt} />
    </p>,
    group.lastResolution ? (
      <div key="last">
        <p>{group.lastResolution.reason ?? "–"}</p>
        <p className="text-xs text-faint">
          {say.settledBy(group.lastResolution.actor)} · <Time at={group.lastResolution.at} />
        </p>
      </div>
    ) : (
      <span key="last" className="whitespace-nowrap text-faint">
        {say.groupNever}
      </span>
    ),
  ];
  return (
    <Panel title={say.groups} hint={say.groupsHint}>
      <Loaded query={query} rows={1}>
        {(page) => (
          <Table label={say.groups} columns={columns}>
            {page.items.map((group) => (
              <Row key={group.fingerprint} columns={columns} cells={cells(group)} />
            ))}
          </Table>
        )}
      </Loaded>
    </Panel>
  );
}
