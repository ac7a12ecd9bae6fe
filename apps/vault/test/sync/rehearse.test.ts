import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { until } from "../harness.ts";
import { describeFlaky } from "./flaky-vault.ts";

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}
interface Next {
  readonly jobId: string;
  readonly syncEventId: string;
  readonly checks: readonly Check[];
}

const verdicts = ({ checks }: Next) => Object.fromEntries(checks.map(({ name, ok }) => [name, ok]));
const GOOD = { superseded: true, "file-present": true, "path-free": true };

describeFlaky("a rehearsal of the NAS's queue", (it) => {
  it("predicts for each operation whether its bytes exist and its path is free, and the run confirms it", async (vault) => {
    const { server, nasFolder, cacheFolder } = vault;
    const { fileId: moved } = await server.upload({ name: "moved", bytes: "one" });
    await server.synced();
    await server.done("POST", "/admin/queue/pause", { body: { reason: "test" } });
    await server.upload({ name: "good", bytes: "two" });
    await server.upload({ name: "taken", bytes: "three" });
    await server.done("PUT", `/files/${moved}/rename`, { body: { newName: "renamed" } });
    await server.upload({ name: "moved", bytes: "four" });
    await server.upload({ name: "missing", bytes: "five" });
    writeFileSync(join(nasFolder, "taken"), "somebody's");
    const [{ path }] = (await server.rows<{ path: string }>(
      `select s.path from file_storage_objects s join files f on f.id = s.file_id
where f.name = 'missing' and s.storage_type = 'CACHE'`,
    )) as [{ path: string }];
    rmSync(join(cacheFolder, path));
    const tables = () => server.rows("select * from file_storage_objects order by file_id, storage_type");
    const before = { rows: await tables(), nas: vault.onNas() };
    const rehearsal = await server.done("POST", "/admin/queue/rehearse?limit=10");
    expect({ rows: await tables(), nas: vault.onNas() }).toEqual(before);
    expect(rehearsal.destination).toMatchObject({ ok: true, problem: null });
    expect(rehearsal.destination.latencyMs).toBeGreaterThanOrEqual(0);
    expect(rehearsal.next.map(verdicts)).toEqual([
      GOOD,
      { ...GOOD, "path-free": false },
      GOOD,
      GOOD,
      { ...GOOD, "file-present": false },
    ]);
    const again = await server.done("POST", "/admin/queues/nas-sync/rehearse?limit=10");
    expect(again.next).toEqual(rehearsal.next);
    expect(rehearsal.next[1].checks[2].detail).toBe("something else is at /taken");

    await server.done("POST", "/admin/queue/resume");
    await server.synced();
    for (const next of rehearsal.next as Next[]) {
      const isGood = next.checks.every(({ ok }) => ok);
      // This process still has the bytes of its own uploads in memory, so it does not need the cache.
      if (verdicts(next)["file-present"] === false) continue;
      const { status } = await server.done("GET", `/admin/queue/events/${next.syncEventId}`);
      expect(status).toBe(isGood ? "DONE" : "FAILED");
    }
  });

  it(
    "predicts that everything fails again while the NAS is away, and still allows retrying all",
    async ({ server, nas }) => {
      nas.goAway("UNREACHABLE");
      await server.upload({ name: "a", bytes: "a" });
      await server.upload({ name: "b", bytes: "b" });
      await until(async () => {
        const { isPaused, active } = await server.done("GET", "/admin/queue/status");
        return isPaused && active === 0;
      });
      const { destination, next } = await server.done("POST", "/admin/queue/rehearse?retryFailed=true");
      expect(destination.ok).toBe(false);
      expect(destination.problem).not.toBe("");
      expect(next).toHaveLength(2);
      for (const { checks } of next)
        expect(checks).toEqual([
          { name: "destination", ok: false, detail: `It will fail again: ${destination.problem}` },
        ]);
      const korean = await server.done("POST", "/admin/queue/rehearse?retryFailed=true", {
        headers: { "accept-language": "ko" },
      });
      expect(korean.next[0].checks[0].detail).toMatch(/^다시 실패합니다/);
      nas.comeBack();
      await server.done("POST", "/admin/queue/retry-all");
      await server.done("POST", "/admin/queue/resume");
      await server.synced();
      expect(await server.done("GET", "/admin/queue/status")).toMatchObject({ failed: 0, completed: 2 });
    },
    { attempts: 2 },
  );

  it("needs the permission to operate the whole queue", async ({ server }) => {
    const path = "/admin/queues/nas-sync/rehearse";
    const reader = await server.key(["queue.read"]);
    expect(await server.ask("POST", path, { token: reader })).toMatchObject({ status: 403 });
    const narrow = await server.key(["queue.operate"], { tenantId: "acme" });
    expect(await server.ask("POST", path, { token: narrow })).toMatchObject({ status: 403 });
    const operator = await server.key(["queue.operate"]);
    expect(await server.done("POST", path, { token: operator })).toMatchObject({ next: [], estimatedMs: 0 });
    expect(await server.ask("POST", "/admin/queues/nobody/rehearse")).toMatchObject({ status: 404 });
    expect(await server.ask("POST", `${path}?limit=0`)).toMatchObject({ status: 400 });
  });
});
