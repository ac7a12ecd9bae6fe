import type { StreamedEvent } from "./event-stream.ts";
import type { Colour, Paint } from "./paint.ts";
import { clockTime, localTime } from "./times.ts";
import { onOneLine, padTo } from "./width.ts";

interface EventData {
  readonly type: string;
  readonly at: string;
  readonly queue?: string;
  readonly jobId?: string;
  readonly [field: string]: unknown;
}

interface Line {
  readonly colour?: Colour;
  /** The fields of the event's data to show, in this order. */
  readonly fields: readonly string[];
}

/** How each type of event is shown. One that is not listed is shown with its name alone. */
const LINES: Readonly<Record<string, Line>> = {
  "queue.stopped": { colour: "red", fields: ["kind", "reason", "actor"] },
  "queue.resumed": { colour: "green", fields: ["actor"] },
  "queue.degraded": { colour: "yellow", fields: ["cause"] },
  "queue.recovered": { colour: "green", fields: [] },
  "lane.held": { colour: "yellow", fields: ["key", "kind", "reason"] },
  "lane.released": { colour: "green", fields: ["key", "by"] },
  "lane.rest-cancelled": { colour: "yellow", fields: ["key", "cancelled"] },
  "job.retrying": { colour: "yellow", fields: ["attempt", "of", "code", "message"] },
  "job.failed": { colour: "red", fields: ["code", "message"] },
  "job.skipped": { colour: "yellow", fields: ["code", "message"] },
  "job.retried": { colour: "cyan", fields: ["actor"] },
  "job.resolved": { colour: "cyan", fields: ["actor", "reason"] },
  "job.cancel-requested": { colour: "cyan", fields: ["actor", "reason"] },
  "job.abort-requested": { colour: "cyan", fields: ["actor", "reason", "stopsWithinMs"] },
  "job.aborted": { colour: "cyan", fields: ["actor", "reason"] },
  "job.resumed": { colour: "cyan", fields: ["actor", "state"] },
  "job.throttle-changed": { colour: "cyan", fields: ["actor"] },
  "job.cancelled": { colour: "cyan", fields: ["actor", "reason"] },
  "job.run-now": { colour: "cyan", fields: ["actor"] },
  "job.parked": { fields: ["event", "until"] },
  "job.arrived": { colour: "green", fields: ["event"] },
  "job.stage-rolled-back": { colour: "cyan", fields: ["stage"] },
  "job.roll-back-failed": { colour: "red", fields: ["stage", "code", "message"] },
  "job.lost": { colour: "yellow", fields: ["worker"] },
  "job.handed-back": { fields: ["worker"] },
  "job.progress": { colour: "dim", fields: ["progress"] },
  "schedule.fired": { fields: ["schedule", "dueAt"] },
  "schedule.missed": { colour: "yellow", fields: ["schedule", "count"] },
  "jobs.done": { colour: "dim", fields: ["done"] },
};

const TYPE_WIDTH = 20;

/** `10:30:00  queue.stopped  mail  kind=failure reason=…`. */
export function lineOfEvent(event: StreamedEvent, paint: Paint): string {
  const data = JSON.parse(event.data) as EventData;
  const { colour, fields } = LINES[data.type] ?? { fields: [] };
  const told = fields
    .filter((field) => data[field] !== undefined && data[field] !== null)
    .map((field) => `${field}=${shown(field, data[field])}`);
  const parts = [data.queue ?? "-", data.jobId ?? "", ...told].filter((part) => part !== "");
  const type = paint(colour, padTo(onOneLine(data.type), TYPE_WIDTH));
  return `${clockTime(data.at)}  ${type}  ${onOneLine(parts.join("  "))}`;
}

function shown(field: string, value: unknown): string {
  const isTime = field.endsWith("At") && (typeof value === "string" || typeof value === "number");
  if (isTime) return localTime(value);
  return typeof value === "string" ? value : JSON.stringify(value);
}
