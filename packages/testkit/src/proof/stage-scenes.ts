import { Andon } from "@andon/engine";
import { openStore } from "@andon/store";
import type { Member } from "../processes/site.ts";
import type { Scene } from "./scene.ts";
import { OPERATOR, type Stage } from "./stage.ts";

/* Scenes in which a process is killed between stages, or while a job parks or is rolled back. */

const JOBS = 6;
const TWO = { stages: [{ name: "one" }, { name: "two", concurrency: 2 }] };
const BACK = { stages: [{ name: "one", rollBack: true }, { name: "two" }], attempts: 3 };
const all = <T>(make: (n: number) => T) => Array.from({ length: JOBS }, (_, n) => make(n));
const noLane = () => undefined;
const eventOf = (n: number) => `event-${n}`;
const parking = (more: object = {}) => all((n) => ({ park: eventOf(n), ...more }));

const work = (stage: Stage, victim: Member) =>
  victim.ask({ do: "work", queue: stage.name, rules: stage.rules, places: 4 });
const untilParked = (stage: Stage) => stage.workUntil("all are parked", ({ parked }) => parked === JOBS);

async function arriveAll({ site }: Stage): Promise<undefined> {
  for (let n = 0; n < JOBS; n++) await site.andon.arrive(eventOf(n), n);
}

const settle = ({ site, name }: Stage) =>
  site.until("nothing is parked", async () => (await site.counts(name)).parked === 0);

async function parkAndCancel(stage: Stage, more: object): Promise<void> {
  await stage.add(parking(more), noLane);
  await untilParked(stage);
  for (let n = 0; n < JOBS; n++) await stage.queue.cancel(stage.id(n), OPERATOR);
}

const rollingBack = (more: object = {}): Scene => ({
  rules: BACK,
  prepare: (stage) => parkAndCancel(stage, more),
  act: work,
  ends: () => ({ cancelled: JOBS }),
});

export const STAGE_SCENES: Record<string, Scene> = {
  advance: {
    rules: TWO,
    passes: ({ random }) => random.below(3),
    prepare: (stage) => stage.add(all((n) => ({ ms: 2, writes: n % 2 === 0 }))),
    act: work,
    ends: () => ({ done: JOBS }),
  },
  "give-stages": {
    rules: TWO,
    async prepare(stage) {
      const older = new Andon(await openStore(stage.site.url), { onError: () => {} });
      await older.queue(stage.name).addMany(all((n) => ({ n, ms: 2 })));
      await older.close();
    },
    act: work,
    ends: () => ({ done: JOBS }),
  },
  park: {
    passes: ({ random }) => random.below(3),
    async prepare(stage) {
      await stage.add(parking(), noLane);
      await stage.site.andon.arrive(eventOf(0));
    },
    act: work,
    goOn: arriveAll,
    settle,
    ends: () => ({ done: JOBS }),
  },
  arrive: {
    async prepare(stage) {
      await stage.add(parking(), noLane);
      await untilParked(stage);
    },
    act: (_, victim) => victim.ask({ do: "arrive", event: eventOf(0) }),
    // A caller that does not know whether its report arrived sends it again.
    goOn: arriveAll,
    settle,
    ends: () => ({ done: JOBS }),
  },
  expire: {
    rules: { onFinalFailure: "hold-lane" },
    async prepare(stage) {
      await stage.add(parking({ parkFor: 5_000 }), noLane);
      // In another process: a worker in this one would become the housekeeper and expire the jobs itself.
      const [first] = (await stage.site.spawn(1)) as [Member];
      await work(stage, first);
      await stage.site.until(
        "all are parked",
        async () => (await stage.site.counts(stage.name)).parked === JOBS,
      );
      await stage.crashed(first);
    },
    act: work,
    settle,
    ends: () => ({ failed: JOBS }),
  },
  "rolled-back": rollingBack(),
  "fail-roll-back": rollingBack({ undoFailures: 1 }),
  "roll-back-writes": rollingBack({ writes: true }),
};
