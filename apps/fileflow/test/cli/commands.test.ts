import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { andon, temporaryFolder } from "@andon/cli/testing";
import { expect, test } from "vitest";
import { describeFileflow, type FileflowServer, ownEvent } from "../harness.ts";
import { Gate, stagesOf } from "../programs.ts";

const TEXT = "The quarterly report is attached.";
const SIZE = Buffer.byteLength(TEXT);

/** The command as an operator of this server has it. */
function commandOf(server: FileflowServer) {
  const env = { ANDON_URL: server.url, ANDON_TOKEN: server.adminToken, LANG: "en" };
  return (...words: string[]) => andon(words, { env });
}

/** Each server has its own gate. */
let gate = new Gate();
function withGate() {
  gate = new Gate();
  const pipelines = [{ code: "gated", stages: [...stagesOf("probe"), { use: "gate" }] }];
  return { app: { programs: { gate: gate.program } }, settings: { fileflow: { pipelines } } as never };
}

describeFileflow("andon pipeline", (it) => {
  it(
    "lists pipelines, sends an event, and shows its execution",
    {},
    async (server) => {
      const run = commandOf(server);
      const folder = temporaryFolder();
      try {
        expect((await run("pipeline", "list")).stdout).toContain("probe → image → text → ocr → publish");
        server.putObject("bkt", "report.txt", TEXT);
        const event = join(folder.path, "event.json");
        writeFileSync(event, JSON.stringify(ownEvent({ key: "report.txt", size: SIZE })));
        const sent = await run("pipeline", "ingest", event, "--json");
        const { executionId: id, created } = JSON.parse(sent.stdout);
        expect([sent.code, created]).toEqual([0, true]);
        expect((await run("pipeline", "ingest", event)).stdout).toContain(`${id} had this event already`);
        await server.inStatus(id, "COMPLETED");
        const listed = await run("pipeline", "executions", "--status", "COMPLETED", "--tenant", "tnt_demo");
        expect(listed.stdout).toContain("bkt/report.txt");
        expect((await run("pipeline", "executions", "--org", "other")).stdout).not.toContain(id);
        const shown = (await run("pipeline", "show", id)).stdout;
        expect(shown).toContain("text/plain");
        expect(shown).toMatch(/publish +COMPLETED/);
        expect((await run("pipeline", "logs", id)).stdout).toMatch(/text +1 +info +completed/);
        expect((await run("pipeline", "extractions", id)).stdout).toContain(TEXT);
        writeFileSync(event, "no JSON");
        expect(await run("pipeline", "ingest", event)).toMatchObject({ code: 2 });
        expect((await server.done("GET", "/dlq")).total).toBe(0);
        const missing = await run("pipeline", "show", "nothing");
        expect([missing.code, missing.stderr.includes("PP-404-EXEC")]).toEqual([5, true]);
      } finally {
        folder.remove();
      }
    },
    60_000,
  );

  it(
    "cancels a running execution, and refuses one that has ended",
    withGate,
    async (server) => {
      const run = commandOf(server);
      server.putObject("bkt", "slow.txt", TEXT);
      const id = await server.execute({ key: "slow.txt", size: SIZE, pipelineCode: "gated" });
      await server.inStatus(id, "RUNNING");
      const cancelled = await run("pipeline", "cancel", id, "--reason", "wrong file");
      expect(cancelled.stdout).toMatch(/stops at the next stage boundary|is cancelled/);
      gate.open();
      const ended = await server.inStatus(id, "CANCELLED");
      expect(ended.cancel.reason).toBe("wrong file");
      const late = await run("pipeline", "cancel", id);
      expect([late.code, late.stderr.includes("PP-409-STATE")]).toEqual([6, true]);
    },
    60_000,
  );

  it(
    "retries one execution by its id, and many by a filter",
    {},
    async (server) => {
      const run = commandOf(server);
      const keys = ["a.txt", "b.txt", "c.txt"];
      const ids: string[] = [];
      for (const key of keys) ids.push(await server.execute({ key, size: SIZE }));
      for (const id of ids) await server.inStatus(id, "FAILED");
      for (const key of keys) server.putObject("bkt", key, TEXT);
      const [first = "", ...rest] = ids;
      expect((await run("pipeline", "retry", first)).stdout).toContain(`${first} runs again`);
      await server.inStatus(first, "COMPLETED");
      expect((await run("pipeline", "retry")).code).toBe(2);
      expect((await run("pipeline", "retry", first, "--error", "PP-500-IO")).code).toBe(2);
      // Without a terminal the command cannot ask, so it changes nothing.
      expect((await run("pipeline", "retry", "--error", "PP-500-IO")).code).toBe(2);
      expect((await server.execution(rest[0] ?? "")).status).toBe("FAILED");
      const many = await run("pipeline", "retry", "--error", "PP-500-IO", "--yes");
      expect([many.code, many.stdout.trim()]).toEqual([0, "2 of 2 executions run again."]);
      for (const id of rest) await server.inStatus(id, "COMPLETED");
    },
    60_000,
  );

  it(
    "creates, previews, pauses, runs and deletes schedules",
    {},
    async (server) => {
      const run = (...words: string[]) => commandOf(server)("pipeline", "schedules", ...words);
      const options = ["--pipeline", "default", "--cron", "0 3 * * *", "--time-zone", "Asia/Seoul"];
      expect((await run("add", "--cron", "0 3 * * *")).code).toBe(2);
      const made = JSON.parse((await run("add", ...options, "--json")).stdout);
      expect(made.nextRuns).toHaveLength(5);
      const { id } = made;
      expect((await run()).stdout).toContain(id);
      expect((await run("list")).stdout).toContain("Asia/Seoul");
      const preview = (await run("preview", id)).stdout;
      expect(preview.match(/03:00:00/g)).toHaveLength(5);
      expect((await run("pause", id)).stdout).toContain("paused");
      expect((await run()).stdout).toContain("paused");
      expect((await run("run", id)).stdout).toContain(id);
      expect((await run("resume", id)).stdout).toContain("active");
      expect((await run("pause")).code).toBe(2);
      expect((await run("delete", id)).code).toBe(2);
      expect((await run("delete", id, "--yes")).stdout).toContain("deleted");
      expect((await run("preview", id)).code).toBe(5);
    },
    60_000,
  );
});

describeFileflow("andon dlq", (it) => {
  it(
    "lists, shows, redrives one and many, and discards",
    {},
    async (server) => {
      const run = (...words: string[]) => commandOf(server)("dlq", ...words);
      for (const key of ["1", "2", "3"]) await server.ingest({ key, size: "large" });
      const list = JSON.parse((await run("list", "--state", "DEAD", "--json")).stdout);
      expect(list.total).toBe(3);
      const [one, two, three] = list.items.map(({ id }: { id: string }) => id);
      expect((await run("list", "--sample", "--limit", "1")).stdout).toContain("PP-400-JSON");
      const shown = (await run("show", one)).stdout;
      expect(shown).toContain("RECEIVED");
      expect(shown).toContain("size");
      const again = await run("redrive", one);
      expect([again.code, again.stdout.includes("failed again")]).toEqual([1, true]);
      expect((await run("redrive")).code).toBe(2);
      expect((await run("redrive", "--all")).code).toBe(2);
      expect((await server.done("GET", "/dlq/redrives")).total).toBe(0);
      const many = await run(
        "redrive",
        two,
        three,
        "--rate",
        "100",
        "--yes",
        "--reason",
        "the sender is mended",
      );
      expect([many.code, many.stdout.trim()]).toEqual([
        1,
        "DONE: 0 of 2 redriven, 2 failed again, 0 changed since the plan.",
      ]);
      expect((await run("redrives")).stdout).toContain("2/2");
      expect((await run("discard", one)).code).toBe(2);
      expect((await run("discard", one, "--reason", "test data")).stdout).toContain("is discarded");
      const gone = await run("redrive", one);
      expect([gone.code, gone.stderr.includes("PP-409-STATE")]).toEqual([6, true]);
      expect((await run("show", "nothing")).code).toBe(5);
    },
    60_000,
  );

  it(
    "shows the plan on a terminal, and sends exactly that after a yes",
    {},
    async (server) => {
      const env = { ANDON_URL: server.url, ANDON_TOKEN: server.adminToken, LANG: "en" };
      const at = (input: string) => andon(["dlq", "redrive", "--all"], { env, terminal: 100, input });
      for (const key of ["1", "2"]) await server.ingest({ key, size: "large" });
      const refused = await at("n\n");
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain("Will be sent");
      expect(refused.stderr).toContain("Nothing was sent.");
      expect((await server.done("GET", "/dlq/redrives")).total).toBe(0);
      expect((await at("y\n")).stdout).toContain("2 failed again");
      expect((await server.done("GET", "/dlq/redrives")).total).toBe(1);
    },
    60_000,
  );

  it(
    "refuses to redrive a quarantined message",
    {},
    async (server) => {
      const run = (...words: string[]) => commandOf(server)("dlq", ...words);
      await server.ingest({ size: "large" });
      const [{ id }] = (await server.done("GET", "/dlq")).items;
      for (const _ of [1, 2, 3]) await run("redrive", id);
      expect((await run("show", id)).stdout).toContain("QUARANTINED");
      expect((await run("redrive", id)).code).toBe(6);
      expect((await run("redrive", "--all", "--yes")).code).toBe(6);
    },
    60_000,
  );
});

test("every command has help in both languages", async () => {
  for (const group of ["pipeline", "dlq"])
    for (const [language, word] of [
      ["en", group === "dlq" ? "Dead letters" : "Pipelines"],
      ["ko", group === "dlq" ? "DLQ" : "파이프라인"],
    ] as const)
      expect((await andon([group, "--help", "--lang", language])).stdout).toContain(word);
  const help = (await andon(["dlq", "redrive", "--help", "--lang", "ko"])).stdout;
  expect(help).toContain("초당 최대 메시지 수");
});
