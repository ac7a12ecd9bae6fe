import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { fileflowApp } from "@andon/fileflow";
import { settingsOf, startServer } from "@andon/server";
import { until } from "@andon/testkit";
import { pino } from "pino";
import { expect, test } from "vitest";

/** Personal data for every field of an event or file that can contain it. */
const PLANTED = [
  "kim-jiwoo-passport",
  "900101-1234567",
  "jiwoo@example.com",
  "uploader-77123",
  "secret sentence",
];

test("logs contain nothing from keys, files, uploaders and invalid messages", async () => {
  const data = mkdtempSync(join(tmpdir(), "andon-pii-"));
  let written = "";
  const log = pino(
    { level: "trace" },
    new Writable({
      write: (chunk, _, done) => {
        written += chunk;
        done();
      },
    }),
  );
  const token = "a-token-of-this-test-only";
  const given = {
    port: 0,
    data,
    adminToken: token,
    apps: [fileflowApp() as never],
    fileflow: { publish: [{ type: "log" }] },
  };
  const server = await startServer(settingsOf(given as never), { log });
  const ask = async (method: string, path: string, body?: string) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(new URL(path, server.url ?? ""), {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    return (await response.json()) as Record<string, never>;
  };
  try {
    const folder = join(data, "buckets", "bkt");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "kim-jiwoo-passport.txt"), "secret sentence 900101-1234567");
    const event = {
      type: "s3.object.created",
      bucket: "bkt",
      size: 30,
      mime: "text/plain",
      tenantId: "t",
      organizationId: 1,
      uploaderUserContextId: "uploader-77123",
    };
    const made = await ask(
      "POST",
      "/ingest/events",
      JSON.stringify({ ...event, key: "kim-jiwoo-passport.txt" }),
    );
    const missing = await ask(
      "POST",
      "/ingest/events",
      JSON.stringify({ ...event, key: "jiwoo@example.com/none.txt" }),
    );
    await ask("POST", "/ingest/events", '{ "owner": "jiwoo@example.com", ');
    const statusOf = async (id: unknown) =>
      (await ask("GET", `/pipelines/executions/${id}`)).status as unknown;
    await until(async () => (await statusOf(made.executionId)) === "COMPLETED");
    await until(async () => (await statusOf(missing.executionId)) === "FAILED");
    await until(async () => written.includes("extraction"));
  } finally {
    await server.close();
    rmSync(data, { recursive: true, force: true });
  }
  expect(written.length).toBeGreaterThan(500);
  for (const value of PLANTED) expect(written).not.toContain(value);
}, 60_000);
