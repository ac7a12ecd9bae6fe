import { useState } from "react";
import type { Lane } from "../api/client.ts";
import { queries, useLiveQuery } from "../api/queries.ts";
import { useWords } from "../i18n/words.ts";
import { useAddress } from "../ui/address.ts";
import { Button } from "../ui/button.tsx";
import { NothingHere } from "../ui/empty.tsx";
import { jobPath, jobsPath, LINK, Link } from "../ui/link.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { Name } from "../ui/name.tsx";
import { pageIn } from "../ui/page-in.ts";
import { Paging } from "../ui/paging.tsx";
import { Panel } from "../ui/panel.tsx";
import { type Column, Row, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { HoldLane, type LaneAction, LaneDecision } from "./lane-decision.tsx";

type Open = { readonly action: LaneAction; readonly lane: Lane } | "hold";

/** The held lanes of a queue: since when, how many jobs wait, and why. */
export function HeldLanes({ queue, mayDecide }: { queue: string; mayDecide: boolean }) {
  const { queue: say } = useWords();
  const { search, change } = useAddress();
  const [open, setOpen] = useState<Open>();
  const query = useLiveQuery(queries.heldLanes(queue, pageIn(search.lanes)));
  const columns: readonly Column[] = [
    { label: say.lane, free: true },
    { label: say.held, wide: true },
    { label: say.error, wide: true, free: true },
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
            <NothingHere title={say.lanesNone} />
          ) : (
            <>
              <Table label={say.lanes} columns={columns}>
                {byHolder(lanes.items).map((held) => (
                  <HeldRow
                    key={`${held[0].tenantId} ${held[0].key}`}
                    lanes={held}
                    columns={columns}
                    onAction={mayDecide ? (action, lane) => setOpen({ action, lane }) : undefined}
                  />
                ))}
              </Table>
              <Paging
                page={lanes}
                totalText={say.lanesTotal}
                onPage={(next) => change({ lanes: String(next) })}
              />
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
          tenantId={open.lane.tenantId}
          depth={open.lane.depth}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Panel>
  );
}

type HeldTogether = [Lane, ...Lane[]];

/** Groups lanes by the job that holds them: a failed job holds all its lanes, which are shown as one row. */
function byHolder(lanes: readonly Lane[]): readonly HeldTogether[] {
  const groups = new Map<string, HeldTogether>();
  for (const lane of lanes) {
    const holder = lane.held?.jobId ? `job ${lane.held.jobId}` : `lane ${lane.tenantId} ${lane.key}`;
    const group = groups.get(holder);
    if (group) group.push(lane);
    else groups.set(holder, [lane]);
  }
  return [...groups.values()];
}

interface HeldRowProps {
  readonly lanes: HeldTogether;
  readonly columns: readonly Column[];
  readonly onAction: ((action: LaneAction, lane: Lane) => void) | undefined;
}

function HeldRow({ lanes, columns, onAction }: HeldRowProps) {
  const { queue: say } = useWords();
  const { held } = lanes[0];
  const cells = [
    <div key="lanes" className="md:min-w-104">
      <ul className="flex flex-col gap-1.5">
        {lanes.map((lane, index) => (
          <LaneLine
            key={`${lane.tenantId} ${lane.key}`}
            lane={lane}
            isFirst={index === 0}
            onAction={onAction}
          />
        ))}
      </ul>
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
          {say.heldBy[held.kind]} · <Name>{held.by}</Name>
        </p>
      </div>
    ),
    held && (
      <p key="error" className="line-clamp-3">
        {held.jobId ? <Link to={jobPath(held.jobId)}>{held.error ?? held.reason}</Link> : held.reason}
      </p>
    ),
  ];
  return <Row columns={columns} cells={cells} />;
}

interface LaneLineProps {
  readonly lane: Lane;
  readonly isFirst: boolean;
  readonly onAction: HeldRowProps["onAction"];
}

function LaneLine({ lane, isFirst, onAction }: LaneLineProps) {
  const { queue: say, act } = useWords();
  const legal: readonly LaneAction[] =
    lane.held?.kind === "hand" ? ["release", "cancelRest"] : ["cancelRest"];
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
      <span className="min-w-24 flex-1">
        <Link
          row={isFirst}
          className={LINK}
          to={jobsPath({ queue: lane.queue, key: lane.key, tenantId: lane.tenantId })}
        >
          {lane.key}
        </Link>{" "}
        <span className="text-xs whitespace-nowrap text-faint">
          {lane.tenantId !== "default" && (
            <>
              <Name>{lane.tenantId}</Name> ·{" "}
            </>
          )}
          {say.inLane(lane.depth)}
        </span>
      </span>
      {onAction && (
        <span className="flex flex-wrap gap-1.5">
          {legal.map((action) => (
            <Button key={action} aria-label={act.of[action](lane.key)} onClick={() => onAction(action, lane)}>
              {act[action]}
            </Button>
          ))}
        </span>
      )}
    </li>
  );
}
