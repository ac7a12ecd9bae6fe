import { isLong, KINDS, Site } from "@andon/testkit/processes";
import { afterAll, test } from "vitest";

/*
 * One job kills every process that runs it, and its neighbours are lost with it. Only that job fails as STALLED, with
 * exactly one loss more than allowed; the neighbours, which were lost with it the first time, are separated from it and
 * done.
 */
const NEIGHBOURS = 2;
const rules = { lease: 600, sweep: 150, maxStalled: 2, timeout: 0 };
const LOSSES = rules.maxStalled + 1;

const sites: Site[] = [];
afterAll(() => Promise.all(sites.map((site) => site.close())));

test.concurrent.for(isLong ? KINDS : KINDS.slice(0, 1))(
  "%s: a job that kills its workers fails alone, and its neighbours are done",
  { timeout: 60_000 },
  async (kind, { expect }) => {
    const place = await Site.open(kind);
    sites.push(place);
    const queue = "poisoned";
    // The first time it waits until its neighbours have started; from then on it kills at once.
    const killer = { payload: { n: 0, crash: true, steps: 1, ms: 150 } };
    const neighbours = Array.from({ length: NEIGHBOURS }, (_, n) => ({ payload: { n: n + 1, ms: 250 } }));
    const fleet = await place.spawn(LOSSES + 1);
    await fleet[0]?.ask({ do: "add", queue, rules, jobs: [killer, ...neighbours] });
    for (const member of fleet) {
      // The process may die before it has answered.
      await member.ask({ do: "work", queue, rules, places: NEIGHBOURS + 1 }).catch(() => {});
      let hasDied = false;
      void member.child.exited.then(() => {
        hasDied = true;
      });
      await place.until("its death, or the end", async () => hasDied || (await isOver(place, queue)));
    }
    expect(await place.counts(queue)).toMatchObject({ done: NEIGHBOURS, failed: 1 });
    const [failed] = (await place.andon.store.read.jobs(queue, "failed", 1, 1)).items;
    expect(failed).toMatchObject({ payload: { n: 0 }, error: { code: "STALLED" } });
    const attempts = await place.andon.attempts(failed?.id ?? "");
    expect(attempts.map(({ outcome }) => outcome)).toEqual(Array(LOSSES).fill("lost"));
  },
);

async function isOver(place: Site, queue: string): Promise<boolean> {
  const { done, failed } = await place.counts(queue);
  return done + failed === NEIGHBOURS + 1;
}
