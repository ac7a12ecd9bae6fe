import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { lineOfEvent } from "../src/terminal/event-lines.ts";
import { pieces } from "../src/terminal/event-stream.ts";
import { uncoloured } from "../src/terminal/paint.ts";
import { andon, beginAndon, startAndon, startTestServer, until } from "./harness.ts";

test("watch shows a line per event, and Ctrl-C ends it with 130", async () => {
  const server = await startTestServer("sqlite", { queues: { line: {}, other: {} } });
  try {
    const watching = startAndon(["watch", "line", "--after", "0"], { env: server.env });
    const asJson = startAndon(["watch", "line", "--after", "1", "--json"], { env: server.env });
    await server.client.lanes.hold({ queue: "other", key: "file:9" });
    await server.client.lanes.hold({ queue: "line", key: "file:0" });
    await server.client.lanes.hold({ queue: "line", key: "file:1", reason: "한글 사유" });
    await server.client.queues.pause({ queue: "line", reason: "NAS 점검" });
    await Promise.all([watching.until(/queue\.stopped/), asJson.until(/queue\.stopped.*\n/)]);
    for (const process of [watching, asJson]) process.signal("SIGINT");

    const { code, stdout } = await watching.ended;
    expect(code).toBe(130);
    expect(stdout).toMatch(/^\d\d:\d\d:\d\d {2}lane\.held +line key=file:1 kind=hand reason=한글 사유$/m);
    expect(stdout).toMatch(/queue\.stopped +line kind=hand reason=NAS 점검 actor=admin$/m);
    expect(stdout).not.toContain("file:9");

    const lines = (await asJson.ended).stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ type }) => type)).toEqual(["lane.held", "lane.held", "queue.stopped"]);
    const ids = lines.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    expect(lines[0]).toMatchObject({ queue: "line", key: "file:0" });
    const { stopId } = await server.client.queues.overview({ queue: "line" });
    expect(lines[2]).toMatchObject({ id: expect.any(Number), stopId });
  } finally {
    await server.close();
  }
});

test.each([1_794_769_620_000, "2026-11-15T13:07:00.000Z"])(
  "a due time of %j is printed as a readable time",
  (dueAt) => {
    const at = "2026-01-20T10:30:00.000Z";
    const data = JSON.stringify({ type: "schedule.fired", at, queue: "line", schedule: "nightly", dueAt });
    const line = lineOfEvent({ id: "1", type: "schedule.fired", data }, uncoloured);
    expect(line).toMatch(/schedule=nightly dueAt=2026-11-1[56] \d\d:\d\d:00$/);
  },
);

type Script = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that answers each connection with the next script. */
async function scripted(scripts: Script[]) {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    scripts[Math.min(asked.length, scripts.length) - 1]?.(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    asked,
    env: { ANDON_URL: url, ANDON_TOKEN: "t" },
    close: () => server.closeAllConnections() ?? server.close(),
  };
}

const event = (id: number, at = "2026-01-20T10:30:00.000Z") =>
  `id: ${id}\nevent: job.failed\ndata: ${JSON.stringify({ type: "job.failed", at, queue: "line", jobId: `job-${id}` })}\n\n`;

describe("a connection that is lost", () => {
  test("is opened again after the last event, so that no event is missed or printed twice", async () => {
    const interrupt = new AbortController();
    const server = await scripted([
      (_, response) =>
        response
          .writeHead(200, { "content-type": "text/event-stream" })
          .write(event(7), () => response.destroy()),
      (_, response) => response.writeHead(500).end(),
      (_, response) => response.writeHead(200, { "content-type": "text/event-stream" }).write(event(8)),
    ]);
    const watching = beginAndon(["watch"], { env: server.env, interrupt: interrupt.signal });
    await until(async () => watching.stdout().includes("job-8"));
    interrupt.abort();
    const { code, stdout, stderr } = await watching.ended;
    server.close();
    expect(code).toBe(130);
    expect(stdout.match(/job-\d/g)).toEqual(["job-7", "job-8"]);
    expect(server.asked.map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "7", "7"]);
    expect(stderr).toContain("The connection was lost");
    expect(stderr).toContain("Connected again.");
  });

  test("continues after an id that arrived without an event", async () => {
    const interrupt = new AbortController();
    const server = await scripted([
      (_, response) =>
        response
          .writeHead(200, { "content-type": "text/event-stream" })
          .write("id: 41\nretry: 10\n\n", () => response.destroy()),
      (_, response) => response.writeHead(200, { "content-type": "text/event-stream" }).write(": beat\n\n"),
    ]);
    const watching = andon(["watch"], { env: server.env, interrupt: interrupt.signal });
    await until(async () => server.asked.length === 2);
    interrupt.abort();
    const { stdout } = await watching;
    server.close();
    expect(stdout).toBe("");
    expect(server.asked[1]?.headers["last-event-id"]).toBe("41");
  });

  test("ends the command if the key is refused at the reconnect", async () => {
    const server = await scripted([
      (_, response) => response.writeHead(200).write(event(1), () => response.destroy()),
      (_, response) =>
        response
          .writeHead(401, { "content-type": "application/problem+json" })
          .end(JSON.stringify({ error: "UNAUTHENTICATED", message: "no", status: 401 })),
    ]);
    const { code } = await andon(["watch"], { env: server.env });
    server.close();
    expect(code).toBe(4);
  });
});

test("events are parsed correctly however the bytes are split", async () => {
  const text = `: beat\n\nid: 1\r\nevent: a\r\ndata: {"한":\r\ndata: 1}\r\n\r\nid: 2\nevent: b\ndata: x\n\nid: 3\ndata: cut off`;
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 3, 1000]) {
    const read = [];
    async function* chunks() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    }
    for await (const piece of pieces(chunks())) read.push(piece);
    expect(read).toEqual([
      { id: undefined, type: "message", data: undefined },
      { id: "1", type: "a", data: '{"한":\n1}' },
      { id: "2", type: "b", data: "x" },
    ]);
  }
});
