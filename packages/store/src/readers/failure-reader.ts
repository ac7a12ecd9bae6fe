import type { FailureReading, FailuresWithoutLane } from "@andon/engine";
import { type StepContext, shared } from "../steps/statement-registry.ts";

const OF_CAUSE = "andon_ended where queue = @queue and fingerprint = @fingerprint and state = 'failed'";

const any = shared("failures-any", () => `select 1 as found from ${OF_CAUSE} limit 1`);
const count = shared(
  "failures-count",
  () => `select count(*) as jobs from (select 1 from ${OF_CAUSE} limit @most) found`,
);
const withoutLane = shared(
  "failures-without-lane",
  () => `select f.fingerprint, count(*) as count, max(f.pos) as newest from (
  select pos, fingerprint from andon_ended where queue = @queue and state = 'failed' order by at desc, pos desc limit @most
) f where (select j.lane_keys from andon_jobs j where j.pos = f.pos) is null and f.fingerprint is not null
group by f.fingerprint`,
);

/** Failed jobs by their cause, inside or outside a transaction. */
export function failureReader(at: StepContext): FailureReading {
  return {
    hasFailed: async (queue, fingerprint) =>
      (await at.session.all(any(at.dialect), { queue, fingerprint })).length > 0,
    async countFailed(queue, fingerprint, most) {
      const [row] = await at.session.all<{ jobs: number }>(count(at.dialect), { queue, fingerprint, most });
      return row?.jobs ?? 0;
    },
    withoutLane: (queue, most) =>
      at.session.all<FailuresWithoutLane>(withoutLane(at.dialect), { queue, most }),
  };
}
