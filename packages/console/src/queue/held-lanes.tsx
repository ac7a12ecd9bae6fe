import { useState } from "react";
import type { Lane } from "../api/client.ts";
import { queries, useLiveQuery } from "../api/queries.ts";
import { pageIn, useAddress } from "../kit/address.ts";
import { Button } from "../kit/button.tsx";
import { Empty } from "../kit/empty.tsx";
import { jobPath, jobsPath, Link } from "../kit/link.tsx";
import { Loaded } from "../kit/loaded.tsx";
import { Count } from "../kit/number.tsx";
import { Paging } from "../kit/paging.tsx";
import { Panel } from "../kit/panel.tsx";
import { type Column, Row, Table } from "../kit/table.tsx";
import { Time } from "../kit/time.tsx";
import { useWords } from "../words/words.ts";
import { HoldLane, type LaneAction, LaneDecision } from "./lane-decision.tsx";

type Open = { readonly action: LaneAction; readonly lane: Lane } | "hold";

/** Lanes that stand while the rest of the queue goes on: how long, how deep, and why. */
export function HeldLanes({ queue, mayDecide }: { queue: string; mayDecide: boolean }) {
  const { queue: say } = useWords();
  const { search, change } = useAddress();
  const [open, setOpen] = useState<Open>();
  const query = useLiveQuery(queries.heldLanes(queue, pageIn(search.lanes)));
  const columns: readonly Column[] = [
    { label: say.lane },
    { label: say.held, wide: true },
    { label: say.depth, wide: true, end: true },
    { label: say.error, wide: true },
    ...(mayDecide ? [{ label: say.actions, silent: true, end: true }] : []),
  ];
  return (
    <Panel
      title={say.lanes}
      hint={say.lanesSettle}
      aside={mayDecide && <Button onClick={() => setOpen("hold")}>{say.holdLane}</Button>}
    >
      <Loaded query={query} rows={1}>
        {(lanes) =>
          lanes.total === 0 ? (
            <Empty title={say.lanesNone} />
          ) : (
            <>
              <Table label={say.lanes} columns={columns}>
                {lanes.items.map((lane) => (
                  <LaneRow
                    key={lane.key}
                    lane={lane}
                    columns={columns}
                    onAction={mayDecide ? (action) => setOpen({ action, lane }) : undefined}
                  />
                ))}
              </Table>
              <Paging page={lanes} onPage={(next) => change({ lanes: String(next) })} />
            </>
          )
        }
      </Loaded>
      {open === "hold" && <HoldLane queue={queue} onClose={() => setOpen(undefined)} />}
      {open && open !== "hold" && (
        <LaneDecision
          action={open.action}
          queue={queue}
          lane={open.lane.key}
          depth={open.lane.depth}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Panel>
  );
}

interface LaneRowProps {
  readonly lane: Lane;
  readonly columns: readonly Column[];
  readonly onAction: ((action: LaneAction) => void) | undefined;
}

function LaneRow({ lane, columns, onAction }: LaneRowProps) {
  const { queue: say, act } = useWords();
  const { held } = lane;
  const legal: readonly LaneAction[] = held?.kind === "hand" ? ["release", "cancelRest"] : ["cancelRest"];
  const cells = [
    <div key="lane" className="min-w-28">
      <Link row to={jobsPath({ queue: lane.queue, key: lane.key })}>
        {lane.key}
      </Link>
      {held && (
        <p className="text-xs text-faint md:hidden">
          <Time at={held.at} /> · {say.heldBy[held.kind]}
        </p>
      )}
    </div>,
    held && (
      <div key="held">
        <Time at={held.at} />
        <p className="text-xs text-faint">
          {say.heldBy[held.kind]} · {held.by}
        </p>
      </div>
    ),
    <Count key="depth" value={lane.depth} />,
    held && (
      <p key="error">
        {held.jobId ? <Link to={jobPath(held.jobId)}>{held.error ?? held.reason}</Link> : held.reason}
      </p>
    ),
    onAction && (
      <div key="actions" className="flex justify-end gap-1.5 max-md:flex-col">
        {legal.map((action) => (
          <Button key={action} aria-label={act.of[action](lane.key)} onClick={() => onAction(action)}>
            {act[action]}
          </Button>
        ))}
      </div>
    ),
  ];
  return <Row columns={columns} cells={cells} />;
}
