import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { andon, type RunOptions, until } from "@andon/cli/testing";
import type { Route } from "@andon/contract";
import { VAULT_ROUTES } from "@andon/vault/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startVaultServer, type VaultServer } from "./vault-server.ts";

let server: VaultServer;
beforeAll(async () => {
  const line = { attempts: 1, backoff: { delay: 1 } };
  server = await startVaultServer({ queues: { "nas-sync": line } });
  await server.upload("first.txt", "it makes the NAS");
  await server.synced();
});
afterAll(() => server.close());

const run = (args: readonly string[], options: RunOptions = {}) =>
  andon(["vault", ...args], { env: server.env, ...options });

/** The one JSON document of a command, checked by the schema of its route. */
async function answer<R extends Route>(args: readonly string[], route: R) {
  const { code, stdout, stderr } = await run([...args, "--json"]);
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" });
  const value = JSON.parse(stdout);
  expect(route.answer.parse(value)).toEqual(value);
  return value;
}

const onNas = (name: string) => join(server.nasFolder, name);
let files = 0;

describe("a held file", () => {
  let name: string;
  let fileId: string;
  beforeEach(async () => {
    name = `held-${++files}.txt`;
    // Another file is at the target, and nothing is overwritten.
    writeFileSync(onNas(name), "a stranger's");
    ({ fileId } = await server.upload(name, "ours"));
    await until(async () =>
      (await server.vault.syncQueue.held()).items.some((item) => item.fileId === fileId),
    );
    await server.vault.files.rename({ id: fileId, newName: `renamed-${name}` });
  });

  test("is listed with its failed operation and the number of operations behind it", async () => {
    const { stdout, code } = await run(["held"]);
    expect(stdout).toContain("Failed operation");
    expect(code).toBe(0);
    // Stored in both languages; each reader sees one.
    expect(stdout).toMatch(new RegExp(`${fileId}.*UPLOAD.*Something else already lies at`));
    const korean = await run(["held", "--lang", "ko"]);
    expect(korean.stdout).toMatch(new RegExp(`${fileId}.*UPLOAD.*이미 다른 것이 있어`));
    const page = await answer(["held", "--limit", "50"], VAULT_ROUTES.syncQueue.held);
    const item = page.items.find((held: { fileId: string }) => held.fileId === fileId);
    expect(item).toMatchObject({ waitingBehind: 1 });
    expect((await run(["verify"])).stdout).toMatch(/1 file was not compared: held or under way\./);
    await run(["cancel", fileId, "--reason", "done with it"]);
  });

  test("shows the outcome of each choice, and continues after a retry", async () => {
    const { stdout } = await run(["simulate", fileId, "--lang", "ko"]);
    expect(stdout).toMatch(new RegExp(`retry +renamed-${name} +예`));
    expect(stdout).toMatch(/cancel +없음 +아니요/);
    expect(stdout).toMatch(new RegExp(`그 자리에 있는 것 +${name}에 다른 파일\\(\\d+ B\\)`));
    const simulated = await answer(["simulate", fileId], VAULT_ROUTES.syncQueue.simulate);
    expect(simulated.choices.map(({ action }: { action: string }) => action)).toEqual([
      "retry",
      "skip",
      "cancel",
    ]);

    rmSync(onNas(name));
    await answer(["retry", fileId, "--reason", "out of the way"], VAULT_ROUTES.syncQueue.retry);
    await server.synced();
    expect(readFileSync(onNas(`renamed-${name}`), "utf8")).toBe("ours");
    const again = await run(["retry", fileId]);
    expect(again.code).toBe(6);
    expect(again.stderr).toContain("[FILE_NOT_HELD]");
    expect(again.stderr).toContain("andon vault held");
  });

  test("is skipped only with a reason, and the answer gives its state on the NAS", async () => {
    expect((await run(["skip", fileId])).code).toBe(2);
    writeFileSync(onNas(name), "ours");
    const { code, stdout } = await run(["skip", fileId, "--reason", "copied by hand"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/On the NAS: (AVAILABLE|PENDING)/);
    await server.synced();
    expect(readFileSync(onNas(`renamed-${name}`), "utf8")).toBe("ours");
  });

  test("is given up with all operations that wait behind it", async () => {
    const given = await answer(["cancel", fileId, "--reason", "not needed"], VAULT_ROUTES.syncQueue.cancel);
    expect(given).toMatchObject({ affected: 2 });
    expect(readFileSync(onNas(name), "utf8")).toBe("a stranger's");
  });
});

test("a command about an unknown file ends with exit code 5", async () => {
  const { code, stderr } = await run(["retry", "01990000-0000-7000-8000-000000000000"]);
  expect(code).toBe(5);
  expect(stderr).toContain("[FILE_NOT_FOUND]");
});

describe("a comparison", () => {
  let own: VaultServer;
  beforeAll(async () => {
    own = await startVaultServer();
  });
  afterAll(() => own.close());
  const verify = (args: readonly string[], options: RunOptions = {}) =>
    andon(["vault", "verify", ...args], { env: own.env, ...options });

  test("that nobody has started cannot be followed", async () => {
    const { code, stderr } = await verify(["--follow"]);
    expect(code).toBe(5);
    expect(stderr).toContain("andon vault verify");
  });

  test("finds nothing if nothing differs, and changed bytes otherwise", async () => {
    for (const name of ["a.txt", "b.txt"]) await own.upload(name, `bytes of ${name}`);
    await own.synced();
    const clean = await verify(["--checksum", "--json"]);
    expect(clean.code).toBe(0);
    const { run: ended, findings, repair } = JSON.parse(clean.stdout);
    expect(VAULT_ROUTES.drift.show.answer.parse(ended)).toMatchObject({
      state: "DONE",
      checksum: true,
      filesChecked: 2,
      findings: 0,
    });
    expect(VAULT_ROUTES.drift.findings.answer.parse(findings)).toMatchObject({ total: 0 });
    expect(repair).toBeNull();

    // The same size, other bytes: only reading them shows it.
    writeFileSync(join(own.nasFolder, "a.txt"), "bytes of x.txt");
    expect((await verify([])).code).toBe(0);
    const found = await verify(["--checksum"], { terminal: 120 });
    expect(found.code).toBe(1);
    expect(found.stdout).toMatch(/CHECKSUM_DIFFERS.*a\.txt/);
    expect(found.stdout).toContain("2 files byte by byte");
    expect(found.stderr).toContain("Comparing:");
    const korean = await verify(["--follow", "--lang", "ko"]);
    expect(korean.code).toBe(1);
    expect(korean.stdout).toContain("파일 2개를 캐시·NAS와 바이트 단위로 비교: 발견 1개.");
  });

  test("is repaired only after a person's consent", async () => {
    const unasked = await verify(["--follow", "--repair"]);
    expect(unasked.code).toBe(2);
    expect(unasked.stderr).toContain("--yes");
    const refused = await verify(["--follow", "--repair"], { terminal: 100, input: "n\n" });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("Nothing was done.");
    expect((await own.vault.drift.findings({ id: "latest" })).items[0]?.repairedBy).toBeNull();

    const agreed = await verify(["--follow", "--repair"], { terminal: 100, input: "y\n" });
    expect(agreed.code).toBe(0);
    expect(agreed.stdout).toContain("1 repair is queued, 0 findings are left.");
    await own.synced();
    expect(readFileSync(join(own.nasFolder, "a.txt"), "utf8")).toBe("bytes of a.txt");
    expect((await verify(["--follow"])).code).toBe(0);
  });

  test("leaves unknown files to a person, and then ends with exit code 1", async () => {
    rmSync(join(own.nasFolder, "b.txt"));
    writeFileSync(join(own.nasFolder, "stranger.txt"), "whose?");
    const { code, stdout } = await verify(["--repair", "--yes", "--reason", "lost", "--json"]);
    expect(code).toBe(1);
    const { findings, repair } = JSON.parse(stdout);
    const left = findings.items.filter(({ kind }: { kind: string }) => kind === "UNKNOWN_ON_NAS");
    expect(left.map(({ path }: { path: string }) => path)).toContain("stranger.txt");
    expect(VAULT_ROUTES.drift.repair.answer.parse(repair)).toEqual({
      success: true,
      queued: 1,
      left: left.length,
    });
    expect(findings.total - left.length).toBe(1);
    await own.synced();
    expect(readFileSync(join(own.nasFolder, "b.txt"), "utf8")).toBe("bytes of b.txt");
    expect(readFileSync(join(own.nasFolder, "stranger.txt"), "utf8")).toBe("whose?");
  });
});
