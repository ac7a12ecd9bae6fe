import type { Andon } from "@andon/engine";
import { expect } from "vitest";
import { describeServers, type TestServer, until } from "../harness.ts";

const SETTINGS = { queues: { films: { concurrency: 3 }, mails: {} } };

/** Starts jobs one after the other. They run until `letGo` is called. */
async function startRunning(server: TestServer): Promise<{ ids: string[]; letGo: () => void }> {
  const { queue } = server.site.queues.get("films") as { queue: ReturnType<Andon["queue"]> };
  let letGo = () => {};
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await queue.work(async (job, { progress }) => {
    progress(job.payload);
    await gone;
  });
  const ids: string[] = [];
  for (const [n, tenant] of ["default", "acme", "default", "default"].entries()) {
    const { id } = await queue.add({ done: n, total: 10 }, { tenant, key: `film-${n}` });
    ids.push(id);
    if (n < 3) await until(async () => (await queue.status()).counts.running === n + 1);
  }
  return { ids, letGo };
}

describeServers("the list of running jobs", (it) => {
  it("has the longest-running job first, with progress and description", SETTINGS, async (server) => {
    const { ids, letGo } = await startRunning(server);
    const [first, second, third] = ids;
    const list = async (query = "") => (await server.ask("GET", `/admin/jobs/running${query}`)).body;
    const shown = await until(async () => {
      const found = await list();
      return found.items.every(({ progress }: { progress: unknown }) => progress !== null) && found;
    });
    expect(shown.total).toBe(3);
    expect(shown.items.map(({ id }: { id: string }) => id)).toEqual([first, second, third]);
    expect(shown.items[1]).toMatchObject({
      state: "running",
      about: null,
      keys: ["film-1"],
      progress: { done: 1, total: 10 },
      bulk: null,
    });
    expect(shown.items[1].worker).not.toBeNull();
    expect(shown.items[1].startedAt).not.toBeNull();

    const page = await list("?limit=1&page=2");
    expect([page.total, page.items.length, page.items[0].id]).toEqual([3, 1, second]);
    expect((await list("?queue=mails")).items).toEqual([]);
    expect((await list("?queue=films")).total).toBe(3);
    letGo();
  });

  it("shows a key with a tenant only its own jobs, and no sparklines", SETTINGS, async (server) => {
    const { ids, letGo } = await startRunning(server);
    const { token } = (
      await server.ask("POST", "/admin/keys", {
        body: { name: "acme", permissions: ["queue.read"], tenantId: "acme" },
      })
    ).body;
    const { body } = await server.ask("GET", "/admin/jobs/running", { token });
    expect([body.total, body.items.map(({ id }: { id: string }) => id)]).toEqual([1, [ids[1]]]);
    expect((await server.ask("GET", "/admin/history", { token })).status).toBe(403);
    letGo();
  });
});

describeServers("the last hour of all queues", (it) => {
  it("has a number per minute for each queue in which jobs ended", SETTINGS, async (server) => {
    const { queue } = server.site.queues.get("mails") as { queue: ReturnType<Andon["queue"]> };
    await queue.work(() => {});
    await queue.addMany([1, 2, 3]);
    await until(async () => (await queue.status()).counts.done === 3);
    const { status, body } = await server.ask("GET", "/admin/history");
    expect(status).toBe(200);
    expect(body.queues).toHaveLength(1);
    const [{ queue: name, done, failed }] = body.queues;
    expect([name, done.length, failed.length]).toEqual(["mails", 60, 60]);
    expect(done.reduce((sum: number, count: number) => sum + count, 0)).toBe(3);
    expect(Date.parse(body.from) % 60_000).toBe(0);
  });
});
