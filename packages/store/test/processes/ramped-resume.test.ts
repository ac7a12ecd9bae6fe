import { isLong, KINDS, type Member, Site, seeded } from "@andon/testkit/processes";
import { afterEach, expect, test } from "vitest";
import { testSeed } from "./test-seed.ts";

/*
 * Queues are resumed in waves by two operators at once, one of whom is killed, while workers are killed too and one job of
 * a wave finds its destination down. Nothing beyond the wave of that job ever starts, and it is not charged.
 */
const ROUNDS = isLong ? 500 : 4;
const JOBS = 30;
const WAVES = [1, 3, 9];
const rules = { lease: 2_500, sweep: 500, maxStalled: 100, timeout: "1h", probe: true };

let site: Site | undefined;
afterEach(() => site?.close());

test.for(KINDS)(
  "%s: a ramp never starts more than the wave that fails",
  { timeout: isLong ? 3_600_000 : 180_000 },
  async (kind) => {
    const random = seeded(testSeed());
    const place = await Site.open(kind);
    site = place;
    let workers = await place.spawn(3);
    const kim = (await place.spawn(1))[0] as Member;
    for (let round = 0; round < ROUNDS; round++) {
      const queue = `ramp-${round}`;
      const line = place.andon.queue(queue, rules);
      const bad = random.below(13);
      const reach = bad < 1 ? 1 : bad < 4 ? 4 : 13;
      await line.stop({ actor: "kim" });
      const jobs = Array.from({ length: JOBS }, (_, n) => ({
        payload: { n, ms: 1 + random.below(15), sick: n === bad ? 1_000 : 0 },
      }));
      const added = (await kim.ask({ do: "add", queue, rules, jobs })) as { id: string }[];
      await Promise.all(workers.map((member) => member.ask({ do: "work", queue, rules, places: 4 })));
      const lee = (await place.spawn(1))[0] as Member;
      const resume = (member: Member) =>
        member.ask({
          do: "call",
          queue,
          rules,
          verb: "resume",
          args: [{ actor: "kim" }, { ramp: { waves: WAVES } }],
        });
      await Promise.allSettled([resume(kim), resume(lee)]);
      await place.crash(lee);
      if (random.below(2) === 0) {
        const [victim] = workers.splice(random.below(workers.length), 1);
        await place.crash(victim as Member);
        const replaced = await place.spawn(1);
        await Promise.all(replaced.map((member) => member.ask({ do: "work", queue, rules, places: 4 })));
        workers = [...workers, ...replaced];
      }
      await place.until("it stops", async () => (await line.status()).state === "stopped");
      await place.until("nothing runs", async () => (await line.status()).counts.running === 0);

      const status = await line.status();
      expect(status).toMatchObject({ stopReason: "RAMP_FAILED", stopJobId: added[bad]?.id, ramp: null });
      const started = new Set(
        place.ledger
          .read(queue)
          .filter(({ what }) => what === "start")
          .map(({ n }) => n),
      );
      expect(
        [...started].every((n) => n < reach),
        `wave up to ${reach}: ${[...started]}`,
      ).toBe(true);
      expect(status.counts.ready + status.counts.done).toBe(JOBS);
      expect(await place.andon.job(added[bad]?.id as string)).toMatchObject({ state: "ready", attempts: 0 });
      await Promise.all(workers.map((member) => member.ask({ do: "leave", queue })));
    }
  },
);
