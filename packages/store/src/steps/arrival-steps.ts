import type { Arrival } from "@andon/contract";
import { type StepContext, shared } from "./statement-registry.ts";

/*
 * A transaction that parks and one that reports an event write the same row first, so that one of them sees what the
 * other committed, and no arrival is missed in either order. Reporting takes no other lock than those of the timers
 * that it makes due, since its transaction may be a caller's and stay open for long.
 */
const lock = shared(
  "arrival-lock",
  () => `insert into andon_arrivals (event, kept_since) values (@event, @now)
on conflict (event) do update set kept_since = excluded.kept_since
returning payload, at`,
);
const add = shared(
  "arrival-add",
  () => `insert into andon_arrivals (event, payload, at, kept_since) values (@event, @payload, @now, @now)
on conflict (event) do update set payload = excluded.payload, at = excluded.at, kept_since = excluded.kept_since
where andon_arrivals.at is null
returning event`,
);
const parked = shared("parked-for", () => "select pos from andon_jobs where awaits = @event");
/** `|| ''` keeps PostgreSQL from using the index of kinds, through all timers. */
const makeDue = shared(
  "timers-arrived",
  (d) =>
    `update andon_timers set due_at = @now where pos ${d.among("positions", "bigint")} and kind || '' = 'park'`,
);
const list = shared(
  "arrivals-of",
  (d) =>
    `select event, payload, at from andon_arrivals where event ${d.among("events", "text")} and at is not null`,
);

interface RawArrival {
  event: string;
  payload: string | null;
  at: number | null;
}

export async function lockArrival(at: StepContext, event: string): Promise<Arrival | undefined> {
  const [row] = await at.session.all<RawArrival>(lock(at.dialect), { event, now: at.now });
  return row && arrivalOf(row);
}

/** False if the event arrived before. */
export async function addArrival(at: StepContext, event: string, payload: string): Promise<boolean> {
  const added = await at.session.all(add(at.dialect), { event, payload, now: at.now });
  if (added.length === 0) return false;
  const jobs = await at.session.all<{ pos: number }>(parked(at.dialect), { event });
  if (jobs.length > 0) {
    const positions = at.dialect.array(jobs.map((job) => job.pos));
    await at.session.run(makeDue(at.dialect), { positions, now: at.now });
  }
  return true;
}

export async function arrivals(
  at: StepContext,
  events: readonly string[],
): Promise<ReadonlyMap<string, Arrival>> {
  if (events.length === 0) return new Map();
  const rows = await at.session.all<RawArrival>(list(at.dialect), { events: at.dialect.array(events) });
  return new Map(
    rows.flatMap((row) => {
      const arrival = arrivalOf(row);
      return arrival ? [[row.event, arrival]] : [];
    }),
  );
}

function arrivalOf({ payload, at }: RawArrival): Arrival | undefined {
  return at === null ? undefined : { payload: payload === null ? null : JSON.parse(payload), at };
}
