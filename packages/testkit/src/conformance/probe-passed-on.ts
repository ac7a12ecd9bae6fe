import { DestinationDown, type Queue, Snooze } from "@andon/engine";
import { expect } from "vitest";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";
import type { HandlerCall, ManualHandler } from "./manual-handler.ts";

interface Sick {
  readonly queue: Queue<string>;
  readonly manual: ManualHandler;
  readonly ids: Record<"a" | "b" | "c", string>;
}

/** Three jobs, a worker with one place, and a destination that failed the first of them, so that `a` is the probe. */
async function sickLine(bench: Bench): Promise<Sick> {
  const queue = bench.queue<string>({ attempts: 9, backoff: { delay: "1s", type: "fixed" } });
  const [a, b, c] = await queue.addMany(["a", "b", "c"], (payload) => ({ key: `lane-${payload}` }));
  const manual = bench.manualHandler();
  await queue.work(manual.handler, { places: 1 });
  (await manual.take()).fail(new DestinationDown("no route"));
  await bench.passUntil(
    "the queue is degraded",
    async () => (await queue.status()).state === "degraded",
    900,
  );
  return { queue, manual, ids: { a: a?.id ?? "", b: b?.id ?? "", c: c?.id ?? "" } };
}

async function probeAtWork(bench: Bench, { manual, ids }: Sick): Promise<HandlerCall> {
  await bench.pass(1_000);
  return manual.take(ids.a);
}

async function expectPassedOn(bench: Bench, { queue, manual, ids }: Sick): Promise<void> {
  const next = await manual.take(ids.b);
  expect(await queue.status()).toMatchObject({ state: "degraded", probeJobId: ids.b });
  expect((await bench.job(ids.c)).state).toBe("ready");
  next.succeed();
  (await manual.take(ids.c)).succeed();
  await bench.reaches(ids.c, "done");
  expect((await queue.status()).state).toBe("open");
}

/**
 * A probe that ends without testing the destination passes its role on; otherwise the queue would stay degraded for
 * ever.
 */
export function describeProbePassedOn(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "a probe passes its role on", (it) => {
    it("when it is cancelled while it waits", async (bench) => {
      const sick = await sickLine(bench);
      expect(await sick.queue.cancel(sick.ids.a, KIM)).toEqual({ outcome: "cancelled" });
      await expectPassedOn(bench, sick);
    });

    it("when it is cancelled with the rest of its lane", async (bench) => {
      const sick = await sickLine(bench);
      expect(await sick.queue.cancelRest("lane-a", KIM)).toEqual({ cancelled: 1 });
      await expectPassedOn(bench, sick);
    });

    it("when it is cancelled while it runs", async (bench) => {
      const sick = await sickLine(bench);
      const call = await probeAtWork(bench, sick);
      call.context.signal.addEventListener("abort", () => call.fail(new Error("stopped")));
      expect(await sick.queue.cancel(sick.ids.a, KIM)).toEqual({ outcome: "requested" });
      await bench.reaches(sick.ids.a, "cancelled");
      await expectPassedOn(bench, sick);
    });

    it("when it fails just as it is cancelled", async (bench) => {
      const sick = await sickLine(bench);
      const call = await probeAtWork(bench, sick);
      const cancelling = sick.queue
        .cancel(sick.ids.a, KIM)
        .then(() => call.fail(new DestinationDown("still")));
      await cancelling;
      await bench.reaches(sick.ids.a, "cancelled");
      await expectPassedOn(bench, sick);
    });

    it("when it snoozes instead of testing the destination", async (bench) => {
      const sick = await sickLine(bench);
      (await probeAtWork(bench, sick)).fail(new Snooze("1h"));
      await expectPassedOn(bench, sick);
    });

    it("when it snoozes just as it is cancelled", async (bench) => {
      const sick = await sickLine(bench);
      const call = await probeAtWork(bench, sick);
      await sick.queue.cancel(sick.ids.a, KIM).then(() => call.fail(new Snooze("5s")));
      await bench.reaches(sick.ids.a, "cancelled");
      await expectPassedOn(bench, sick);
    });

    it("when its lane is held by hand", async (bench) => {
      const sick = await sickLine(bench);
      await sick.queue.hold("lane-a", KIM);
      await expectPassedOn(bench, sick);
      expect((await bench.job(sick.ids.a)).state).toBe("blocked");
    });

    it("when its lane is held by hand while it runs, and it fails again", async (bench) => {
      const sick = await sickLine(bench);
      const call = await probeAtWork(bench, sick);
      await sick.queue.hold("lane-a", KIM);
      call.fail(new DestinationDown("still"));
      await bench.pass(1_000);
      await expectPassedOn(bench, sick);
    });

    it("to no job when no other waits: the queue opens", async (bench) => {
      const sick = await sickLine(bench);
      await sick.queue.cancel(sick.ids.c, KIM);
      await sick.queue.cancel(sick.ids.b, KIM);
      await sick.queue.cancel(sick.ids.a, KIM);
      expect(await sick.queue.status()).toMatchObject({ state: "open", probeJobId: null });
    });
  });
}
