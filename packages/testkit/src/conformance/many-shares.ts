import type { Job } from "@andon/contract";
import type { Queue } from "@andon/engine";
import { expect } from "vitest";
import { type Bench, describeOn, type StoreKind } from "./harness.ts";

/** More than a claim reads, in the ring of shares and at the front of the line. */
const TENANTS = 130;
const FLOOD = 700;
const STAGES = ["store", "publish"];

interface Rules {
  readonly most?: number;
  readonly hasStages?: boolean;
}

/** Claims as a worker with this many free places would, and finishes nothing. */
async function claim(bench: Bench, want: number, { most, hasStages }: Rules = {}): Promise<Job[]> {
  const { claims } = await bench.store.finishAndClaim({
    queue: "line",
    worker: "worker",
    done: [],
    want,
    limit: null,
    rate: null,
    serial: false,
    sharing: { most: most ?? null },
    ...(hasStages ? { hasStages, stageLimits: Object.fromEntries(STAGES.map((name) => [name, 1_000])) } : {}),
  });
  return claims.map(({ job }) => job);
}

async function addTenants(bench: Bench, perTenant: number, hasStages = false): Promise<Queue<number>> {
  const queue = bench.queue<number>({
    fair: true,
    ...(hasStages ? { stages: STAGES.map((name) => ({ name })) } : {}),
  });
  await queue.addMany(Array(FLOOD).fill(0), { tenant: "m-flood" });
  const numbers = Array.from({ length: TENANTS * perTenant }, (_, n) => n % TENANTS);
  await queue.addMany(numbers, (n) => ({ tenant: `${n % 2 ? "a" : "z"}-${n}` }));
  return queue;
}

function countByTenant(jobs: readonly Job[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { tenant } of jobs) counts.set(tenant, (counts.get(tenant) ?? 0) + 1);
  return counts;
}

/** A queue is shared fairly among any number of tenants: each claim reads some of them, and the next one others. */
export function describeManyShares(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "fair shares of many tenants", (it) => {
    for (const hasStages of [false, true])
      it(`give each tenant its turn behind a flood, if there are more than a claim reads${hasStages ? ", with stages" : ""}`, async (bench) => {
        await addTenants(bench, 1, hasStages);
        const jobs: Job[] = [];
        for (let claims = 0; claims < 2 * Math.ceil(TENANTS / 8); claims++)
          jobs.push(...(await claim(bench, 8, { hasStages })));
        expect(countByTenant(jobs).size).toBe(TENANTS + 1);
      });

    it("skip tenants that have no room left", async (bench) => {
      await addTenants(bench, 3);
      const jobs: Job[] = [];
      for (let claims = 0; claims < 10; claims++) jobs.push(...(await claim(bench, 30, { most: 1 })));
      const counts = countByTenant(jobs);
      expect(counts.size).toBe(TENANTS + 1);
      expect([...counts.values()].filter((count) => count !== 1)).toEqual([]);
    });

    it("find a higher priority of any tenant", async (bench) => {
      const queue = await addTenants(bench, 1);
      await queue.add(1, { tenant: "zz-last", priority: 5 });
      await queue.add(2, { tenant: "0-first", priority: 4 });
      const [first, second] = await claim(bench, 2);
      expect([first?.tenant, second?.tenant]).toEqual(["zz-last", "0-first"]);
    });

    it("fill all places of a large worker if few tenants have many jobs", async (bench) => {
      const queue = bench.queue<number>({ fair: true });
      await queue.addMany(
        Array.from({ length: 600 }, (_, n) => n),
        (n) => ({ tenant: `t-${n % 3}` }),
      );
      expect([...countByTenant(await claim(bench, 300)).values()]).toEqual([100, 100, 100]);
    });
  });
}
