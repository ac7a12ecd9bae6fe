import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { openStorage } from "@andon/storage";
import { initNas } from "@andon/vault";
import { expect } from "vitest";
import { markOf, recognise, rememberedMark } from "../../src/nas/nas-identity.ts";
import { describeVault, until, VaultServer } from "../harness.ts";

const MARKER = ".andon-nas";

async function nasPart(server: VaultServer) {
  const { body } = await server.ask("GET", "/readyz");
  return { status: body.status, ...body.parts.find(({ name }: { name: string }) => name === "nas") };
}

describeVault("the NAS", (it) => {
  it("is marked once, at the start, when the store has never known it", {}, async (server) => {
    expect(readdirSync(server.nasFolder)).toEqual([MARKER]);
    await server.upload({ name: "a", bytes: "x" });
    await server.synced();
    expect(readdirSync(server.nasFolder).sort()).toEqual([MARKER, "a"]);
    const known = await server.rows<{ marker: string }>("select url, marker from vault_nas");
    expect(known).toEqual([
      {
        url: `file:${server.nasFolder}`,
        marker: readFileSync(join(server.nasFolder, MARKER), "utf8").trim(),
      },
    ]);
    expect(await nasPart(server)).toMatchObject({ status: "ok", ok: true });
  });

  it("is remembered without the login of its address", { settings: { roles: ["api"] } }, async (server) => {
    const { store } = server.site.andon;
    const nas = await openStorage(`file:${server.nasFolder}`, { marker: true });
    await recognise(store, nas, "smb://me:hunter2@nas/share");
    expect(await server.rows("select url from vault_nas where url like 'smb:%'")).toEqual([
      { url: "smb://nas/share" },
    ]);
    expect(await rememberedMark(store, "smb://you:secret@nas/share")).toBe(await markOf(nas));
    await nas.close();
  });

  it("is recognised however its address is written", { settings: { roles: ["api"] } }, async (server) => {
    const { store } = server.site.andon;
    expect(await nasPart(server)).toMatchObject({ ok: true });
    // A remembered address that is not canonical.
    await store.transaction("test", (tx) => tx.query("update vault_nas set url = url || '/'"));
    renameSync(server.nasFolder, `${server.nasFolder}-away`);
    mkdirSync(server.nasFolder);
    const folder = server.nasFolder;
    for (const written of [
      `file:${folder}`,
      `file:${folder}/`,
      `file:${folder}/./`,
      `file://${folder}`,
      `FILE:${folder}/x/..`,
      `file:${relative(process.cwd(), folder)}`,
    ]) {
      const nas = await openStorage(written, { marker: true });
      await expect(recognise(store, nas, written)).rejects.toMatchObject({ code: "NOT_MOUNTED" });
      await nas.close();
      expect(readdirSync(folder)).toEqual([]);
    }
    await initNas(store, `file:${folder}//`, "operator");
    expect(await server.rows("select count(*) as n from vault_nas")).toEqual([{ n: 1 }]);
  });

  it("that was unmounted is never written to and never marked again", {}, async (server) => {
    await server.upload({ name: "a", bytes: "x" });
    await server.synced();
    renameSync(server.nasFolder, `${server.nasFolder}-away`);
    mkdirSync(server.nasFolder);
    await server.upload({ name: "b", bytes: "y" });
    await until(async () => (await server.site.queues.get("nas-sync")?.queue.status())?.state === "degraded");
    expect(readdirSync(server.nasFolder)).toEqual([]);
    expect(await nasPart(server)).toMatchObject({
      status: "degraded",
      ok: false,
      problem: expect.stringContaining(MARKER),
    });

    const tenant = await server.key(["queue.read"], { tenantId: "acme" });
    for (const token of [null, "nonsense", tenant, await server.key(["files.read"])]) {
      expect((await server.ask("GET", "/readyz", { token })).body.parts).toContainEqual({
        name: "nas",
        ok: false,
        problem: "NOT_MOUNTED",
      });
    }

    rmSync(server.nasFolder, { recursive: true });
    renameSync(`${server.nasFolder}-away`, server.nasFolder);
    await server.synced();
    expect(readdirSync(server.nasFolder).sort()).toEqual([MARKER, "a", "b"]);
  });

  it("that is another one than the store knows counts as not mounted until a person registers it", {
    settings: { roles: ["api"] },
  }, async (before) => {
    writeFileSync(join(before.nasFolder, MARKER), "a stranger's\n");
    await before.stop();
    const { data, store } = before.site.settings;
    const server = await VaultServer.start("sqlite", {
      ground: { data, store },
      settings: { roles: ["api"] },
    });
    try {
      expect(await nasPart(server)).toMatchObject({
        ok: false,
        problem: expect.stringContaining("not the one it had"),
      });

      await initNas(server.site.andon.store, `file:${server.nasFolder}`, "operator");
      expect(await server.rows("select actor, action from andon_audit where action = 'nas.init'")).toEqual([
        { actor: "operator", action: "nas.init" },
      ]);
      expect(await until(async () => (await nasPart(server)).ok)).toBe(true);
      expect(readFileSync(join(server.nasFolder, MARKER), "utf8")).toBe("a stranger's\n");
    } finally {
      await server.close();
    }
  });

  it("that lost its marker gets a new one by hand", { settings: { roles: ["api"] } }, async (server) => {
    expect(await nasPart(server)).toMatchObject({ ok: true });
    rmSync(join(server.nasFolder, MARKER));
    expect(await until(async () => !(await nasPart(server)).ok)).toBe(true);
    const url = `file:${server.nasFolder}`;
    await initNas(server.site.andon.store, url, "operator");
    expect(readdirSync(server.nasFolder)).toContain(MARKER);
  });
});
