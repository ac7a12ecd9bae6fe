import { useState } from "react";
import type { FailureGroup } from "../api/client.ts";
import { queries, useLiveQuery } from "../api/queries.ts";
import { useWords } from "../i18n/words.ts";
import { PlanDialog, type PlannedAction } from "../jobs/plan-dialog.tsx";
import { useAllowed } from "../session/session.ts";
import { Button } from "../ui/button.tsx";
import { jobsPath, Link } from "../ui/link.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { useNumber } from "../ui/number.tsx";
import { Panel } from "../ui/panel.tsx";
import { RunbookLink } from "../ui/runbook-link.tsx";
import { type Column, Row, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { Remedies } from "./remedies.tsx";

const REMEDIES = ["retry", "skip"] as const;

interface Planned {
  readonly action: PlannedAction["action"];
  readonly fingerprint: string;
}

/**
 * Failures grouped by cause, with what to do about each and whether it helped before. A dialog stays open when the last failed
 * job is gone, because it still shows the result.
 */
export function FailureGroups({ queue, failed }: { queue: string; failed: number }) {
  const { queue: say, cause: causeWords, act } = useWords();
  const number = useNumber();
  const query = useLiveQuery({ ...queries.groups(queue), enabled: failed > 0 });
  const mayDecide = useAllowed({ permission: "queue.operate" });
  const [planned, setPlanned] = useState<Planned>();
  const columns: readonly Column[] = [
    { label: say.groupCount, end: true },
    { label: say.groupCause, free: true },
    { label: say.groupSpan, wide: true },
    { label: causeWords.before, wide: true, free: true },
    ...(mayDecide ? [{ label: say.actions, silent: true, end: true }] : []),
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
    <div key="cause" className="min-w-36">
      <p className="font-mono text-xs text-faint">{group.code}</p>
      <p className="line-clamp-2">{group.message}</p>
      <p className="text-xs">
        <RunbookLink address={group.runbook} />
      </p>
      <div className="mt-1 md:hidden">
        <Remedies group={group} />
      </div>
    </div>,
    <p key="span">
      <Time at={group.firstAt} />
      {group.lastAt !== group.firstAt && (
        <>
          {" – "}
          <Time at={group.lastAt} />
        </>
      )}
    </p>,
    <Remedies key="before" group={group} />,
    mayDecide && (
      <div key="actions" className="flex justify-end gap-1.5 max-md:flex-col">
        {REMEDIES.map((action) => (
          <Button
            key={action}
            aria-label={causeWords.of[action](group.count, group.code)}
            onClick={() => setPlanned({ action, fingerprint: group.fingerprint })}
          >
            {act[action]}…
          </Button>
        ))}
      </div>
    ),
  ];
  return (
    <>
      {failed > 0 && (
        <Panel title={say.groups} hint={say.groupsHint}>
          <Loaded query={query} rows={1}>
            {(page) => (
              <Table label={say.groups} columns={columns}>
                {page.items.map((group) => (
                  <Row
                    key={group.fingerprint}
                    about={group.fingerprint}
                    columns={columns}
                    cells={cells(group)}
                  />
                ))}
              </Table>
            )}
          </Loaded>
        </Panel>
      )}
      {planned && (
        <PlanDialog
          action={planned.action}
          queue={queue}
          ids={undefined}
          filter={{ state: "failed", fingerprint: planned.fingerprint }}
          onClose={() => setPlanned(undefined)}
          onDone={() => undefined}
        />
      )}
    </>
  );
}
