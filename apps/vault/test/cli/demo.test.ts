import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { andon, beginAndon, startAndon, until } from "@andon/cli/testing";
import { clientOf, createClient } from "@andon/client";
import { VAULT_ROUTES } from "@andon/vault/contract";
import { expect, test } from "vitest";

const SAID = {
  en: {
    last: "It goes on running until Ctrl-C",
    removed: "is removed.",
    told: ["Step 1 of 8", "Step 8 of 8", "NAS sync failed - queue paused", "holds: nothing was claimed"],
  },
  ko: {
    last: "Ctrl-C를 누를 때까지",
    removed: "지웠습니다.",
    told: [
      "8단계 중 1단계",
      "8단계 중 8단계",
      "NAS 동기화 실패 - 큐 일시정지됨",
      "정지 이후 시작된 작업이 없습니다",
    ],
  },
};

const found = (text: string, pattern: RegExp) => pattern.exec(text)?.[1] ?? "";

test.each([
  ["en", undefined],
  ["ko", 100],
] as const)(
  "the demo plays the story to its end in %s, on a screen of %s columns, and all its claims are true",
  async (lang, terminal) => {
    const pressed = new AbortController();
    // The demo uses its own server and key, whatever the environment names.
    const env = { ANDON_URL: "http://127.0.0.1:1", ANDON_TOKEN: "another-server's" };
    const demo = beginAndon(["demo", "--fast", "--keep", "--lang", lang], {
      env,
      interrupt: pressed.signal,
      ...(terminal === undefined ? {} : { terminal }),
    });
    let isOver = false;
    void demo.ended.then(() => {
      isOver = true;
    });
    await until(async () => isOver || demo.stdout().includes(SAID[lang].last));
    const told = demo.stdout();
    for (const text of SAID[lang].told) expect(told).toContain(text);

    const url = found(told, /ANDON_URL=(\S+)/);
    const data = found(told, /ANDON_DATA=([\w/.-]+)/);
    const token = readFileSync(join(data, "admin.key"), "utf8").trim();
    const [client, vault] = [createClient({ url, token }), clientOf(VAULT_ROUTES, { url, token })];
    expect(await client.queues.status({ queue: "nas-sync" })).toMatchObject({
      isPaused: false,
      failed: 0,
      completed: 6,
    });
    const { items } = await vault.files.list();
    const nas = join(data, "nas");
    const onDisk = readdirSync(nas)
      .filter((name) => !name.startsWith("."))
      .map((name) => ({
        name,
        sha256: createHash("sha256")
          .update(readFileSync(join(nas, name)))
          .digest("hex"),
      }));
    expect(onDisk).toHaveLength(6);
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    expect(onDisk.sort(byName)).toEqual(items.map(({ name, sha256 }) => ({ name, sha256 })).sort(byName));
    const { items: stops } = await client.stops.list({ queue: "nas-sync" });
    expect(stops).toHaveLength(1);
    const decisions = (await client.audit.list({ limit: 50 })).items.map(({ action }) => action);
    expect(decisions).toEqual(expect.arrayContaining(["job.retry", "queue.resume"]));
    const opened = await fetch(new URL("/login", url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code: found(told, /#code=([\w-]+)/) }),
    });
    expect(opened.status).toBe(200);
    expect(told).not.toContain(token);

    pressed.abort();
    expect((await demo.ended).code).toBe(0);
    expect(demo.stdout()).toContain(SAID[lang].removed);
    expect(existsSync(data)).toBe(false);
    // The live board is shown only on a terminal.
    expect(told.includes("\u001b[J")).toBe(terminal !== undefined);
  },
);

test("a demo that is interrupted halfway leaves nothing behind", async () => {
  const pressed = new AbortController();
  const demo = beginAndon(["demo"], { interrupt: pressed.signal });
  await until(async () => demo.stdout().includes("Step 2 of 8"));
  const data = found(demo.stdout(), /ANDON_DATA=(\S+)/);
  expect(existsSync(data)).toBe(true);
  pressed.abort();
  expect((await demo.ended).code).toBe(130);
  expect(existsSync(data)).toBe(false);
});

test("a demo that is ended by a signal leaves nothing behind", async () => {
  const demo = startAndon(["demo", "--fast", "--keep"]);
  const data = found(await demo.until(/ANDON_DATA=\S+/), /=(\S+)/);
  await demo.until(/until Ctrl-C/);
  demo.signal("SIGTERM");
  expect(await demo.ended).toMatchObject({ code: 0, stderr: "" });
  expect(existsSync(data)).toBe(false);
});

test("the demo has no JSON", async () => {
  expect(await andon(["demo", "--json"])).toMatchObject({ code: 2, stdout: "" });
});
