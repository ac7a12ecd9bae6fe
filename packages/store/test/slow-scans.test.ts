import { Andon } from "@andon/engine";
import { createDatabase } from "@andon/testkit";
import { expect, onTestFinished, test } from "vitest";
import { openStore } from "../src/open-store.ts";

const SLOW = `create function slow() returns trigger language plpgsql as 'begin perform pg_sleep(0.02); return null; end';
create trigger slow before insert on andon_running for each statement execute function slow();`;

/** Simulates the effect of a long open snapshot on claims: each takes 20 ms in the server. */
test("while scans are slow, no job is lost, lanes keep their order, and an urgent job below the floor starts soon", async () => {
  const place = await createDatabase();
  onTestFinished(place.drop);
  const andon = new Andon(await openStore(place.url));
  const queue = andon.queue<{ lane: number; n: number }>("line");
  for (const statement of SLOW.split("\n")) await andon.store.query(statement);
  const started: { lane: number; n: number }[] = [];
  const jobs = Array.from({ length: 400 }, (_, n) => ({ lane: n % 10, n }));
  await queue.addMany(jobs, ({ lane }) => ({ key: `lane-${lane}` }));
  // More places than lanes, so every claim comes back short.
  await queue.work(
    async ({ payload }) => {
      started.push(payload);
      await new Promise((resolve) => setTimeout(resolve, 5));
    },
    { places: 20 },
  );
  while (started.length < 200) await new Promise((resolve) => setTimeout(resolve, 5));
  await queue.add({ lane: -1, n: -1 }, { priority: 10 });
  await queue.drained();
  await andon.close();
  expect(started).toHaveLength(401);
  expect(started.findIndex(({ n }) => n === -1)).toBeLessThan(400);
  for (let lane = 0; lane < 10; lane++)
    expect(started.filter((job) => job.lane === lane).map(({ n }) => n)).toEqual(
      jobs.filter((job) => job.lane === lane).map(({ n }) => n),
    );
});
