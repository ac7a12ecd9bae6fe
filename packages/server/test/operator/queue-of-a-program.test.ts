import { readFileSync } from "node:fs";
import { defineApp } from "@andon/app";
import { ERROR_CATALOGUE } from "@andon/contract";
import { Andon, type QueueHooks } from "@andon/engine";
import { openStore } from "@andon/store";
import { expect, onTestFinished, test } from "vitest";
import { TestServer } from "../harness.ts";

const RULES = { attempts: 1, onFinalFailure: "stop-queue" } as const;

/** A server, and a program that works the queue `mails` on the same database with only the library. */
async function beside(settings: Parameters<typeof TestServer.start>[1], hooks: QueueHooks = {}) {
  const server = await TestServer.start("sqlite", settings);
  const program = new Andon(await openStore(server.site.settings.store), { onError: () => {} });
  onTestFinished(async () => {
    await program.close();
    await server.close();
  });
  const queue = program.queue<string>("mails", RULES, { hooks });
  await queue.work(() => {
    throw new Error("refused");
  });
  const { id } = await queue.add("lee");
  await queue.drained({ signal: AbortSignal.timeout(20_000) });
  const skip = () => server.ask("POST", `/admin/jobs/${id}/skip`, { body: { reason: "refunded" } });
  return { server, skip };
}

test("a queue that only a program defines can be read, and a refused decision says how to make it possible", async () => {
  const { server, skip } = await beside({});
  expect((await server.ask("GET", "/admin/queues/mails/status")).body).toMatchObject({ isPaused: true });
  const { status, body } = await skip();
  expect([status, body.error]).toEqual([409, "QUEUE_NOT_DEFINED"]);
});

test.each(["en", "ko"] as const)("the section that this error names in %s exists", (language) => {
  const [, page, anchor] = /(docs\S+\.md)#([^\s.]+)/.exec(ERROR_CATALOGUE.QUEUE_NOT_DEFINED[language]) ?? [];
  const text = readFileSync(new URL(`../../../../${page}`, import.meta.url), "utf8");
  const anchors = [...text.matchAll(/^## (.+)$/gm)].map(([, head]) =>
    head?.toLowerCase().replaceAll(" ", "-"),
  );
  expect(anchors).toContain(anchor);
});

test("with the queue's rules in the settings the server can decide, without the program's hooks", async () => {
  const seen: string[] = [];
  const hooks = { failed: () => void seen.push("failed"), resolved: () => void seen.push("resolved") };
  const { skip } = await beside({ queues: { mails: RULES } }, hooks);
  expect((await skip()).status).toBe(200);
  expect(seen).toEqual(["failed"]);
});

test("an app defines the queue with hooks, which run with the server's decisions", async () => {
  const seen: string[] = [];
  const mailing = defineApp({
    name: "mailing",
    queues: () => ({
      mails: { rules: RULES, hooks: { resolved: (job) => void seen.push(String(job.payload)) } },
    }),
  });
  const { skip } = await beside({ apps: [mailing] });
  expect((await skip()).status).toBe(200);
  expect(seen).toEqual(["lee"]);
});
