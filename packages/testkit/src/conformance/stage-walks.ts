import { Park, type Queue, Snooze } from "@andon/engine";
import { type Bench, KIM } from "./harness.ts";

type Walk = (bench: Bench, queue: Queue<unknown>, look: (id: string) => Promise<void>) => Promise<string>;

const KEY = "k";

/** A job that runs the second of its two stages, the first of which has a roll-back. */
async function inSecondStage(bench: Bench) {
  const queue = bench.andon.queue("staged", { stages: [{ name: "one", rollBack: true }, { name: "two" }] });
  const manual = bench.manualHandler();
  await queue.work({
    one: { run: manual.handler, rollBack: () => new Promise(() => {}) },
    two: manual.handler,
  });
  const { id } = await queue.add("x", { key: KEY });
  (await manual.take(id)).succeed();
  return { queue, id, call: await manual.take(id) };
}

/** Cancels a job that waits for its second stage as `wait` says. */
const rollBackFrom =
  (wait: (bench: Bench, at: Awaited<ReturnType<typeof inSecondStage>>) => Promise<unknown>): Walk =>
  async (bench, _, look) => {
    const at = await inSecondStage(bench);
    await wait(bench, at);
    await look(at.id);
    await at.queue.stop(KIM);
    await at.queue.cancel(at.id, KIM);
    return at.id;
  };

/** Cancels the job while it runs, and lets its handler settle after `before`. */
const rollBackRunning =
  (before: (queue: Queue<unknown>) => Promise<unknown>): Walk =>
  async (bench, _, look) => {
    const { queue, id, call } = await inSecondStage(bench);
    await look(id);
    await before(queue);
    await queue.cancel(id, KIM);
    call.fail(new Error("aborted"));
    await bench.settled();
    return id;
  };

const park = async (bench: Bench, { id, call }: Awaited<ReturnType<typeof inSecondStage>>) => {
  call.fail(new Park("what never comes"));
  await bench.reaches(id, "parked");
};

/** A job that parks, and whose event then arrives. */
const parked =
  (isHeld: boolean): Walk =>
  async (bench, _, look) => {
    const at = await inSecondStage(bench);
    await park(bench, at);
    await look(at.id);
    await at.queue.stop(KIM);
    if (isHeld) await at.queue.hold(KEY, KIM);
    await bench.andon.arrive("what never comes");
    await bench.pass(100);
    return at.id;
  };

/** A job that parks for an event that has already arrived. */
const parkedTooLate =
  (isHeld: boolean): Walk =>
  async (bench, _, look) => {
    const { queue, id, call } = await inSecondStage(bench);
    await bench.andon.arrive("early");
    await queue.stop(KIM);
    if (isHeld) await queue.hold(KEY, KIM);
    await look(id);
    call.fail(new Park("early"));
    await bench.settled();
    return id;
  };

const advance =
  (before: (queue: Queue<unknown>) => Promise<unknown>): Walk =>
  async (bench, _, look) => {
    const queue = bench.andon.queue("staged", { stages: [{ name: "one" }, { name: "two" }] });
    const manual = bench.manualHandler();
    await queue.work(manual.handler);
    const { id } = await queue.add("x", { key: KEY });
    const call = await manual.take(id);
    await look(id);
    await before(queue);
    call.succeed();
    await bench.settled();
    return id;
  };

const hold = (queue: Queue<unknown>) => queue.hold(KEY, KIM);
const stop = (queue: Queue<unknown>) => queue.stop(KIM);

/** The transitions of stages and parking, on a real store. */
export const STAGE_WALKS: Readonly<Record<string, Walk>> = {
  "advance: running → ready": advance(stop),
  "advance: running → blocked": advance(hold),
  "park: running → parked": async (bench, _, look) => {
    const at = await inSecondStage(bench);
    await look(at.id);
    await park(bench, at);
    return at.id;
  },
  "park: running → ready": parkedTooLate(false),
  "park: running → blocked": parkedTooLate(true),
  "arrive: parked → ready": parked(false),
  "arrive: parked → blocked": parked(true),
  "expire: parked → failed": async (bench, _, look) => {
    const { id, call } = await inSecondStage(bench);
    call.fail(new Park("late", { until: "1s" }));
    await bench.reaches(id, "parked");
    await look(id);
    await bench.pass(2_000);
    return id;
  },
  "rollBack: running → ready": rollBackRunning(stop),
  "rollBack: running → blocked": rollBackRunning(hold),
  "rollBack: parked → ready": rollBackFrom(park),
  "rollBack: parked → blocked": rollBackFrom(async (bench, at) => {
    await park(bench, at);
    await at.queue.hold(KEY, KIM);
  }),
  "rollBackWaiting: scheduled → ready": rollBackFrom(async (bench, { id, call }) => {
    call.fail(new Snooze(60_000));
    await bench.reaches(id, "scheduled");
  }),
  "rollBackWaiting: ready → ready": rollBackFrom(async (bench, { queue, id, call }) => {
    await bench.andon.arrive("early");
    await queue.stop(KIM);
    call.fail(new Park("early"));
    await bench.reaches(id, "ready");
  }),
  "rollBackHeld: blocked → blocked": rollBackFrom(async (bench, { queue, id, call }) => {
    call.fail(new Snooze(60_000));
    await bench.reaches(id, "scheduled");
    await queue.hold(KEY, KIM);
  }),
};
