import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { until } from "../harness.ts";
import { housekeep } from "../housekeeping.ts";
import { describeFlaky, type FlakyVault, filesBelow } from "../sync/flaky-vault.ts";

async function verified({ server }: FlakyVault, checksum = false) {
  const { id } = await server.done("POST", "/admin/vault/verify", { body: { checksum } });
  const run = await until(async () => {
    const found = await server.done("GET", `/admin/vault/verify/${id}`);
    return found.state !== "RUNNING" && found;
  });
  const { items } = await server.done("GET", `/admin/vault/verify/${id}/findings`);
  return { run, items };
}

async function repaired(vault: FlakyVault, runId: string) {
  const answer = await vault.server.done("POST", `/admin/vault/verify/${runId}/repair`);
  await vault.server.synced();
  await vault.server.site.queues.get("vault-drift")?.queue.drained();
  return answer;
}

async function uploaded({ server }: FlakyVault, ...names: string[]): Promise<string[]> {
  const files = [];
  for (const name of names) files.push(await server.upload({ name, bytes: `bytes of ${name}` }));
  await server.synced();
  return files.map(({ fileId }) => fileId);
}

describeFlaky("comparing the store with the NAS", (it) => {
  it("finds nothing if nothing differs, in the trash and for tenants too", async (vault) => {
    const { server } = vault;
    const [, trashed] = await uploaded(vault, "a", "b");
    const token = await server.key(["files.write"], { tenantId: "acme" });
    await server.upload({ name: "c", bytes: "acme's", token });
    await server.done("DELETE", `/files/${trashed}`);
    await server.synced();
    const { run, items } = await verified(vault, true);
    expect(run).toMatchObject({ state: "DONE", filesChecked: 3, findings: 0, checksum: true, error: null });
    expect(items).toEqual([]);
    expect((await server.done("GET", "/admin/vault/verify/latest")).id).toBe(run.id);
  });

  it(
    "reports how many files it did not compare because they are held or under way",
    async (vault) => {
      const { server, nas } = vault;
      await uploaded(vault, "a");
      nas.failNext("put", "DENIED");
      const { fileId } = await server.upload({ name: "b", bytes: "held" });
      await vault.untilHeld(fileId);
      const { run } = await verified(vault);
      expect(run).toMatchObject({ state: "DONE", filesChecked: 2, filesLeftOut: 1, findings: 0 });
      await server.done("POST", `/admin/sync-queue/${fileId}/retry`);
      await server.synced();
      expect((await verified(vault)).run).toMatchObject({ filesChecked: 2, filesLeftOut: 0, findings: 0 });
    },
    { attempts: 1 },
  );

  it("records the reason of the person who started it", async ({ server }) => {
    const reason = "after the outage";
    await server.done("POST", "/admin/vault/verify", { body: { reason } });
    const { items } = await server.done("GET", "/admin/audit?action=drift.start");
    expect(items).toMatchObject([{ action: "drift.start", reason }]);
  });

  it("finds a file that the NAS has lost, and uploads it again", async (vault) => {
    const [fileId] = await uploaded(vault, "a");
    rmSync(join(vault.nasFolder, "a"));
    const { run, items } = await verified(vault);
    expect(items).toMatchObject([
      { kind: "MISSING_ON_NAS", path: "a", fileId, repair: "UPLOAD_AGAIN", repairedBy: null },
    ]);
    const open = async () =>
      (await vault.server.done("GET", `/admin/vault/verify/${run.id}/findings?open=true`)).total;
    expect(await open()).toBe(1);
    expect((await vault.server.done("GET", `/admin/jobs/${run.jobId}`)).payload.runId).toBe(run.id);
    expect(await repaired(vault, run.id)).toEqual({ success: true, queued: 1, left: 0 });
    expect(await open()).toBe(0);
    expect(vault.onNas()).toEqual({ a: "bytes of a" });
    expect((await verified(vault)).items).toEqual([]);
    const { items: after } = await vault.server.done("GET", `/admin/vault/verify/${run.id}/findings`);
    expect(after).toMatchObject([{ repairedBy: expect.stringMatching(/^[0-9a-f-]{36}$/) }]);
  });

  it("finds changed bytes, and keeps both the changed and the right ones", async (vault) => {
    const [longer, other] = await uploaded(vault, "a", "b");
    writeFileSync(join(vault.nasFolder, "a"), "somebody wrote much more into it");
    writeFileSync(join(vault.nasFolder, "b"), "BYTES of b");
    expect((await verified(vault)).items).toMatchObject([{ kind: "SIZE_DIFFERS", fileId: longer }]);
    const { run, items } = await verified(vault, true);
    expect(items).toMatchObject([
      { kind: "SIZE_DIFFERS", fileId: longer, expected: { size: 10 } },
      { kind: "CHECKSUM_DIFFERS", fileId: other },
    ]);
    await repaired(vault, run.id);
    const onNas = vault.onNas();
    expect(onNas).toMatchObject({ a: "bytes of a", b: "bytes of b" });
    expect(Object.values(onNas).sort()).toEqual(
      ["BYTES of b", "bytes of a", "bytes of b", "somebody wrote much more into it"].sort(),
    );
    expect((await verified(vault, true)).items).toEqual([]);
  });

  it("keeps quarantined bytes as long as the trash keeps items, and knows no other file beside them", async (vault) => {
    const { server } = vault;
    const token = await server.key(["files.write"], { tenantId: "acme" });
    await uploaded(vault, "a");
    await server.upload({ name: "b", bytes: "acme's", token });
    await server.synced();
    const changed = { a: "somebody wrote more into it", ".tenants/acme/b": "and into acme's" };
    for (const [path, text] of Object.entries(changed)) writeFileSync(join(vault.nasFolder, path), text);
    const { run } = await verified(vault);
    await repaired(vault, run.id);
    await housekeep(server, "empty-trash");
    const right = { a: "bytes of a", ".tenants/acme/b": "acme's" };
    const aside = Object.entries(vault.onNas()).filter(([path]) => !(path in right));
    expect(aside.map(([, text]) => text).sort()).toEqual(Object.values(changed).sort());

    const [path] = aside[0] as [string, string];
    writeFileSync(join(vault.nasFolder, dirname(path), "stranger"), "?");
    const { items } = await verified(vault);
    expect(items).toMatchObject([{ kind: "UNKNOWN_ON_NAS", path: join(dirname(path), "stranger") }]);
    rmSync(join(vault.nasFolder, dirname(path), "stranger"));

    await server.site.andon.store.transaction("test", (tx) =>
      tx.query("update vault_quarantined set expires_at = 1"),
    );
    await housekeep(server, "empty-trash");
    expect(vault.onNas()).toEqual(right);
    expect(existsSync(join(vault.nasFolder, ".trash"))).toBe(false);
    expect(await server.rows("select * from vault_quarantined")).toEqual([]);
  });

  it("finds bytes that the cache has lost, and fetches them from the NAS", async (vault) => {
    const [fileId] = await uploaded(vault, "a");
    for (const path of filesBelow(vault.cacheFolder)) rmSync(join(vault.cacheFolder, path));
    const { run, items } = await verified(vault);
    expect(items).toMatchObject([{ kind: "MISSING_IN_CACHE", fileId, repair: "FETCH_TO_CACHE" }]);
    expect(await repaired(vault, run.id)).toMatchObject({ queued: 1, left: 0 });
    const [cached] = filesBelow(vault.cacheFolder);
    expect(readFileSync(join(vault.cacheFolder, cached as string), "utf8")).toBe("bytes of a");
    expect((await verified(vault, true)).items).toEqual([]);
  });

  it("keeps the old copy in the cache until the store names the new one", async (vault) => {
    const { server, cache } = vault;
    const [fileId] = await uploaded(vault, "a");
    const named = async () =>
      (
        await server.rows<{ path: string }>(
          "select path from file_storage_objects where storage_type = 'CACHE'",
        )
      )[0]?.path;
    const before = await named();
    const removing = cache.hangNext("remove");
    await server.site.queues.get("vault-drift")?.queue.add({ fileId } as never, { name: "fetch-to-cache" });
    await removing.reached;
    expect(await named()).not.toBe(before);
    expect(filesBelow(vault.cacheFolder)).toHaveLength(2);
    removing.release();
    await server.site.queues.get("vault-drift")?.queue.drained();
    expect(filesBelow(vault.cacheFolder)).toEqual([await named()]);
  });

  it("finds unknown files, and never removes them", async (vault) => {
    await uploaded(vault, "a");
    mkdirSync(join(vault.nasFolder, "deep", "er"), { recursive: true });
    writeFileSync(join(vault.nasFolder, "deep", "er", "strange"), "?");
    const { run, items } = await verified(vault);
    expect(items).toMatchObject([
      { kind: "UNKNOWN_ON_NAS", path: "deep/er/strange", fileId: null, repair: "NONE" },
    ]);
    expect(await repaired(vault, run.id)).toEqual({ success: true, queued: 0, left: 1 });
    expect(vault.onNas()).toMatchObject({ "deep/er/strange": "?" });
  });

  it("finds leftover temporary files, and removes them", async (vault) => {
    const { server } = vault;
    const { syncQueueId } = await server.upload({ name: "a", bytes: "x" });
    await server.synced();
    writeFileSync(join(vault.nasFolder, `.andon-${syncQueueId}-1.part`), "half");
    writeFileSync(join(vault.nasFolder, ".andon-young.part"), "half");
    writeFileSync(join(vault.nasFolder, ".andon-old.part"), "half");
    utimesSync(join(vault.nasFolder, ".andon-old.part"), 0, 0);
    const { run, items } = await verified(vault);
    expect(items.map(({ kind, path }: { kind: string; path: string }) => [kind, path]).sort()).toEqual([
      ["LEFTOVER_TEMPORARY", `.andon-${syncQueueId}-1.part`],
      ["LEFTOVER_TEMPORARY", ".andon-old.part"],
    ]);
    expect(await repaired(vault, run.id)).toMatchObject({ queued: 2, left: 0 });
    expect(readdirSync(vault.nasFolder).sort()).toEqual([".andon-nas", ".andon-young.part", "a"]);
  });

  it("leaves out files with unfinished operations", async (vault) => {
    const { server, nas } = vault;
    const hang = nas.hangNext("put");
    await server.upload({ name: "a", bytes: "x" });
    await hang.reached;
    expect(await verified(vault)).toMatchObject({ run: { state: "DONE", findings: 0 }, items: [] });
    hang.release();
  });

  it(
    "brings a file whose operations were given up to its path in the store",
    async (vault) => {
      const { server, nas } = vault;
      const [fileId] = await uploaded(vault, "a");
      nas.failNext("move", "DENIED");
      await server.done("PUT", `/files/${fileId}/rename`, { body: { newName: "b" } });
      await vault.untilHeld(fileId as string);
      await server.done("POST", `/admin/sync-queue/${fileId}/cancel`, { body: { reason: "given up" } });
      const { run, items } = await verified(vault);
      expect(items).toMatchObject([{ kind: "MISSING_ON_NAS", path: "b", found: { knownAt: "a" } }]);
      await repaired(vault, run.id);
      expect(vault.onNas()).toEqual({ b: "bytes of a" });
      expect(await vault.availability(fileId as string)).toBe("AVAILABLE");
    },
    { attempts: 1 },
  );

  it("pages through its findings by kind", async (vault) => {
    await uploaded(vault, "a", "b", "c");
    for (const name of ["a", "b", "c"]) rmSync(join(vault.nasFolder, name));
    writeFileSync(join(vault.nasFolder, "stranger"), "?");
    const { run } = await verified(vault);
    const found = await vault.server.done(
      "GET",
      `/admin/vault/verify/${run.id}/findings?kind=MISSING_ON_NAS&limit=2&page=2`,
    );
    expect(found).toMatchObject({ total: 3, page: 2, limit: 2, items: [{ path: "c" }] });
  });

  it("is refused to a key with a tenant", async (vault) => {
    const { server } = vault;
    const token = await server.key(["queue.read", "queue.operate"], { tenantId: "acme" });
    expect(await server.refused("POST", "/admin/vault/verify", { token, body: {} })).toMatchObject({
      status: 403,
    });
    const unknown = await server.refused("GET", "/admin/vault/verify/none");
    expect(unknown).toMatchObject({ status: 404, error: "DRIFT_RUN_NOT_FOUND" });
  });
});
