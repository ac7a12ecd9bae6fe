import type { FailureGroup } from "../api/client.ts";
import { queries, useLiveQuery } from "../api/queries.ts";
import { jobsPath, Link } from "../kit/link.tsx";
import { Loaded } from "../kit/loaded.tsx";
import { useNumber } from "../kit/number.tsx";
import { Panel } from "../kit/panel.tsx";
import { type Column, Row, Table } from "../kit/table.tsx";
import { Time } from "../kit/time.tsx";
import { useWords } from "../words/words.ts";

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
