import type { SettingsInput } from "@andon/server";
import { expect } from "vitest";
import { describeServers, type TestServer, until } from "../harness.ts";

const failing = (async () => {
  throw Object.assign(new Error("no such box"), { code: "ESECRET" });
}) as never;

const line = (queue: object): SettingsInput => ({
  queues: { mail: { attempts: 1, handler: failing, ...queue } },
});

/** A failed job of another tenant, and a job of our own behind it. */
const TENANTS = { own: { tenantId: "acme" }, other: { tenantId: "other" } } as const;
/** Organisations of a tenant share its lanes. */
const ORGANIZATIONS = {
  own: { tenantId: "acme", organizationId: "north" },
  other: { tenantId: "acme", organizationId: "south" },
} as const;

async function behindAnother(server: TestServer, key?: string) {
  const { own, other } = key === undefined ? TENANTS : ORGANIZATIONS;
  const token = await server.key(["queue.read", "queue.operate"], own);
  const lane = key === undefined ? {} : { key };
  const theirs = await server.client().queues.add({ queue: "mail", ...other, ...lane });
  await until(async () => (await server.client().queues.status({ queue: "mail" })).failed === 1);
  const acme = server.client(token);
  const mine = await acme.queues.add({ queue: "mail", ...lane });
  return { acme, token, theirs: theirs.id, mine: mine.id };
}

describeServers("a queue, for a key with a tenant", (it) => {
  it("hides another tenant's job that stopped it", line({ onFinalFailure: "stop-queue" }), async (server) => {
    const { acme, theirs, mine } = await behindAnother(server);
    expect((await server.client().queues.overview({ queue: "mail" })).failedJobId).toBe(theirs);
    const overview = await acme.queues.overview({ queue: "mail" });
    expect(overview).toMatchObject({ state: "stopped", isPaused: true, waiting: 1, failed: 0 });
    expect(overview).toMatchObject({ failedJobId: null, heldLanes: null, donePerMinute: null });
    expect(overview.oldestWaitingAt).toBe((await acme.jobs.show({ id: mine })).createdAt);
    const { items } = await acme.queues.list();
    expect(JSON.stringify(items)).not.toContain(theirs);

    const why = await acme.jobs.why({ id: mine });
    expect(why.rule).toBe("queue.stopped");
    const shown = JSON.stringify([why, await acme.jobs.show({ id: mine })]);
    expect(shown).not.toContain(theirs);
    expect((await server.client().jobs.why({ id: mine })).facts.failedJob).toBe(theirs);
  });

  it(
    "shows the job that stopped it if it is the tenant's own",
    line({
      onFinalFailure: "stop-queue",
    }),
    async (server) => {
      const token = await server.key(["queue.read", "queue.operate"], { tenantId: "acme" });
      const acme = server.client(token);
      const { id } = await acme.queues.add({ queue: "mail" });
      await until(async () => (await acme.queues.status({ queue: "mail" })).isPaused);
      expect((await acme.queues.overview({ queue: "mail" })).failedJobId).toBe(id);
      const behind = await acme.queues.add({ queue: "mail" });
      expect(await acme.jobs.why({ id: behind.id })).toMatchObject({
        rule: "queue.stopped-by-failure",
        facts: { failedJob: id },
      });
    },
  );

  it(
    "hides a lane's failed job of another organisation, and its error",
    line({
      onFinalFailure: "hold-lane",
    }),
    async (server) => {
      const { acme, theirs, mine } = await behindAnother(server, "shared");
      expect(await acme.jobs.why({ id: mine })).toMatchObject({
        rule: "lane.waits",
        facts: { key: "shared", queue: "mail" },
      });
      const shown = JSON.stringify(await acme.jobs.show({ id: mine }));
      expect(shown).not.toContain(theirs);
      expect(shown).not.toContain("ESECRET");
      expect(await acme.queues.overview({ queue: "mail" })).toMatchObject({ heldLanes: null, failed: 0 });
    },
  );
});
