import { expect } from "vitest";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

const ANN = { actor: "key:ann", tenant: "ann", reason: "mine" } as const;
/** The last ones look like the stored form of other tenants' keys; they must stay keys of the default tenant. */
const KEYS = ["k", "\u0001ann\u0001k", "\u0002k", "\u0002\u0001ann\u0001k"];

/** Two jobs of the same key for each of these tenants, the first one at work. */
async function sameKey(bench: Bench, tenants: readonly string[]) {
  const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "hold-lane" });
  const manual = bench.manualHandler();
  await queue.work(manual.handler);
  const of = async (tenant: string) => {
    const first = await queue.add(`${tenant} 1`, { key: "k", tenant });
    const second = await queue.add(`${tenant} 2`, { key: "k", tenant });
    return { first, second, call: await manual.take(first.id) };
  };
  const all = Object.fromEntries(
    await Promise.all(tenants.map(async (one) => [one, await of(one)] as const)),
  );
  return { queue, manual, of: (tenant: string) => all[tenant] as Awaited<ReturnType<typeof of>> };
}

/** A lane is queue + tenant + key (X13). */
export function describeTenantLanes(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "lanes of tenants", (it) => {
    it("run jobs of one key in order per tenant, and tenants in parallel", async (bench) => {
      const { manual, of } = await sameKey(bench, ["default", "ann", "bob"]);
      const [ann, bob] = [of("ann"), of("bob")];
      expect([ann.second.seq, bob.second.seq, of("default").second.seq]).toEqual([2, 2, 2]);
      expect((await bench.job(ann.second.id)).state).toBe("blocked");
      bob.call.succeed();
      const next = await manual.take(bob.second.id);
      expect((await bench.job(ann.second.id)).state).toBe("blocked");
      next.succeed();
      await bench.reaches(bob.second.id, "done");
      expect((await bench.job(ann.first.id)).keys).toEqual(["k"]);
    });

    it("are held by a failure of their own tenant only", async (bench) => {
      const { queue, manual, of } = await sameKey(bench, ["default", "ann"]);
      of("ann").call.fail(new Error("no"));
      await bench.reaches(of("ann").first.id, "failed");
      of("default").call.succeed();
      (await manual.take(of("default").second.id)).succeed();
      await bench.reaches(of("default").second.id, "done");
      const held = { kind: "failure", jobId: of("ann").first.id };
      expect((await queue.lanes({ held: true })).total).toBe(0);
      expect(await queue.lanes({ held: true, tenant: "ann" })).toMatchObject({
        total: 1,
        items: [{ tenant: "ann", key: "k", depth: 2, held }],
      });
      expect((await queue.lanes({ held: true, tenant: null })).items).toHaveLength(1);
      expect(await bench.andon.why(of("ann").second.id, { tenant: "ann" })).toMatchObject({
        rule: "lane.held-by-failure",
        facts: { key: "k", failedJob: of("ann").first.id },
      });
      await queue.skip(of("ann").first.id, ANN);
      (await manual.take(of("ann").second.id)).succeed();
      await bench.reaches(of("ann").second.id, "done");
    });

    it("are held, released and emptied by their tenant or by a caller without a tenant", async (bench) => {
      const { queue, of } = await sameKey(bench, ["default", "ann"]);
      await queue.hold("k", ANN);
      expect((await queue.lane("k"))?.held).toBeNull();
      expect(await queue.lane("k", { tenant: "ann" })).toMatchObject({ tenant: "ann", key: "k", depth: 2 });
      expect((await queue.lane("k", { tenant: "ann" }))?.held).toMatchObject({ kind: "hand", by: "key:ann" });
      expect(await queue.lane("k", { tenant: "nobody" })).toBeUndefined();
      const [row] = (await bench.andon.audit({ tenant: "ann" })).items;
      expect(row).toMatchObject({ action: "lane.hold", target: "lane:line/k" });
      const told = await bench.store.read.events(0, 100, { tenant: "ann" });
      expect(told.at(-1)).toMatchObject({ type: "lane.held", data: { key: "k" } });
      expect((await bench.store.read.events(0, 100, { tenant: "bob" })).length).toBe(0);
      expect(await queue.release("k", KIM, { tenant: "ann" })).toEqual({ changed: true });
      expect(await queue.cancelRest("k", ANN)).toEqual({ cancelled: 1 });
      expect((await bench.job(of("ann").second.id)).state).toBe("cancelled");
      expect((await bench.job(of("default").second.id)).state).toBe("blocked");
    });

    it("cannot be changed by other tenants or by single organisations", async (bench) => {
      const { queue } = await sameKey(bench, ["ann"]);
      const foreign = { code: "PP-403-SCOPE", status: 403 };
      await expect(queue.hold("k", ANN, { tenant: "bob" })).rejects.toMatchObject(foreign);
      await expect(queue.release("k", ANN, { tenant: "bob" })).rejects.toMatchObject(foreign);
      await expect(queue.cancelRest("k", ANN, { tenant: "bob" })).rejects.toMatchObject(foreign);
      const north = { ...ANN, organization: "north" };
      await expect(queue.hold("k", north)).rejects.toMatchObject({ code: "SCOPE_TOO_NARROW" });
      await expect(queue.release("k", { ...ANN, tenant: "bob" })).rejects.toMatchObject({
        code: "LANE_NOT_FOUND",
      });
    });

    it("never take a key of the default tenant for another's", async (bench) => {
      const queue = bench.queue<string>();
      const ids = new Map<string, string>();
      for (const key of KEYS) ids.set(key, (await queue.add("x", { key })).id);
      const ofAnn = await queue.add("x", { key: "k", tenant: "ann" });
      for (const id of [...ids.values(), ofAnn.id]) expect((await bench.job(id)).state).toBe("ready");
      const { items } = await queue.lanes();
      expect(new Set(items.map(({ key }) => key))).toEqual(new Set(KEYS));
      expect((await queue.lanes({ tenant: "ann" })).items).toMatchObject([{ key: "k", depth: 1 }]);
      expect((await queue.lanes({ tenant: null })).total).toBe(KEYS.length + 1);
      for (const key of KEYS) expect((await queue.lane(key))?.depth).toBe(1);
      await expect(queue.add("x", { tenant: "a\u0001b" })).rejects.toMatchObject({ code: "INVALID_OPTION" });
    });

    it("are found by key, of one tenant or of all, and not by the tenant's name", async (bench) => {
      const queue = bench.queue<string>();
      const tenants = ["default", "ann", 'b"o\\b'];
      const ids = new Map<string, string>();
      for (const tenant of tenants) ids.set(tenant, (await queue.add("x", { key: "k", tenant })).id);
      await queue.add("x", { key: "other", tenant: "ann" });
      for (const tenant of tenants) {
        const found = await bench.andon.search({ queue: "line", key: "k", tenant });
        expect(found.items.map(({ id }) => id)).toEqual([ids.get(tenant)]);
      }
      expect((await bench.andon.search({ queue: "line", key: "k" })).total).toBe(3);
      expect((await bench.andon.search({ queue: "line", text: "ann" })).total).toBe(0);
      expect((await bench.andon.search({ queue: "line", text: "othe" })).total).toBe(1);
      const plan = await queue.plan({ action: "cancel", filter: { key: "k" } }, KIM);
      expect(plan.count).toBe(3);
    });
  });
}
