import { KINDS, type Kind, Site } from "@andon/testkit/processes";
import { afterEach, expect, test } from "vitest";

/*
 * The worker of a bulk job is killed by SIGKILL just before or after a chunk commits. Only whole chunks are written; an
 * abort that was accepted meanwhile is carried out before another chunk; a resume skips no item.
 */
const SIZE = 100;
const CHUNK = 10;
const CHUNKS_BEFORE = 3;
const MOMENTS = [
  { moment: "before-commit", whole: CHUNKS_BEFORE * CHUNK },
  { moment: "after-commit", whole: (CHUNKS_BEFORE + 1) * CHUNK },
] as const;
const KIM = { actor: "kim", reason: "database load" };
const rules = { lease: 1_500, sweep: 300, maxStalled: 100 };

const sites: Site[] = [];
afterEach(async () => {
  for (const site of sites.splice(0)) await site.close();
});

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

/** The items written when the worker was dead, when the job was aborted, and at the end. */
async function play(kind: Kind, moment: (typeof MOMENTS)[number]["moment"]) {
  const site = await Site.open(kind);
  sites.push(site);
  await site.query("create table andon_test_items (job text, n integer, primary key (job, n))");
  const queue = site.andon.queue("walk", rules);
  const { id } = await queue.add({ n: 1 });
  const written = async () => {
    const rows = await site.query<{ n: number }>("select n from andon_test_items where job = $1 order by n", [
      id,
    ]);
    return rows.map(({ n }) => n);
  };
  const reaches = (state: string) =>
    site.until(`the job is ${state}`, async () => (await site.andon.job(id))?.state === state);
  const walk = { do: "walk", queue: "walk", rules, size: SIZE, chunkSize: CHUNK } as const;

  const env = { ANDON_FAIL_POINT: `chunk:${moment}`, ANDON_FAIL_AFTER: String(CHUNKS_BEFORE) };
  const [victim] = await site.spawn(1, site.url, env);
  victim?.ask(walk).catch(() => {});
  await victim?.child.exited;
  const atDeath = await written();
  const answer = await queue.abort(id, KIM);

  const [successor] = await site.spawn(1);
  await successor?.ask(walk);
  await reaches("aborted");
  const atAbort = await written();
  const { receipt } = (await queue.bulkState(id)) ?? {};

  await queue.resumeJob(id, KIM);
  await reaches("done");
  return { atDeath, answer, atAbort, receipt, atEnd: await written() };
}

test.for(KINDS)(
  "%s: after a worker is killed at a chunk, an accepted abort is carried out before the next chunk",
  { timeout: 120_000 },
  async (kind) => {
    // Most of the time is waiting for a lease, so both run at once.
    const played = await Promise.all(MOMENTS.map(({ moment }) => play(kind, moment)));
    expect(played).toMatchObject(
      MOMENTS.map(({ whole }) => ({
        atDeath: upTo(whole),
        answer: { outcome: "requested" },
        atAbort: upTo(whole),
        receipt: { cursor: whole, processed: whole, total: SIZE, by: "kim" },
        atEnd: upTo(SIZE),
      })),
    );
  },
);
