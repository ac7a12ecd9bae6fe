import { once } from "node:events";
import { Server } from "node:http";
import { connect, type Socket } from "node:net";
import { describe, expect, test, vi } from "vitest";
import { TestServer } from "../harness.ts";

function open(
  server: TestServer,
  text: string,
): { socket: Socket; answer: () => string; closed: Promise<unknown> } {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  let answer = "";
  socket.on("data", (piece) => {
    answer += piece;
  });
  socket.on("error", () => {});
  socket.write(text);
  return { socket, answer: () => answer, closed: once(socket, "close") };
}

const head = (server: TestServer, path: string, length: number) =>
  [
    `POST ${path} HTTP/1.1`,
    "host: x",
    `authorization: Bearer ${server.adminToken}`,
    "content-type: application/json",
    `content-length: ${length}`,
    "",
    "",
  ].join("\r\n");

/** Only on SQLite, because the store does not matter for what a client sends. */
async function withServer(http: object, work: (server: TestServer) => Promise<void>): Promise<void> {
  const server = await TestServer.start("sqlite", { http });
  try {
    await work(server);
  } finally {
    await server.close();
  }
}

/** The most bytes read before the answer. The first read includes the head. */
const MOST_READ = 256 * 1024;

describe("a client that", () => {
  test("sends half a body or half its headers is answered 408, and its connection is closed", () =>
    withServer({ bodyTimeout: 200, headersTimeout: 200 }, async (server) => {
      const halves = [
        ...Array.from({ length: 100 }, () =>
          open(server, `${head(server, "/admin/queue/pause", 9_000)}{"reason": "`),
        ),
        open(server, `${head(server, "/login", 2_000)}{"token": "`),
        open(server, "GET /healthz HTTP/1.1\r\nhost: x\r\nx-slow: "),
      ];
      await Promise.all(halves.map(({ closed }) => closed));
      for (const { answer } of halves) {
        expect(answer()).toMatch(/^HTTP\/1\.1 408 /);
        expect(answer()).toContain('"error":"REQUEST_TIMEOUT"');
      }
    }));

  test("sends half a body gets the error in its language", () =>
    withServer({ bodyTimeout: 200 }, async (server) => {
      const request = head(server, "/admin/queue/pause", 9_000);
      const english = request.replace("\r\n", "\r\naccept-language: en\r\n");
      const { closed, answer } = open(server, `${english}{"reason": "`);
      await closed;
      expect(answer()).toContain("content-language: en");
      expect(answer()).toContain("timed out before it was complete");
    }));

  test("sends a body slowly but without long pauses gets its answer", () =>
    withServer({ bodyTimeout: 400 }, async (server) => {
      const body = JSON.stringify({ reason: "slowly" });
      const { socket, answer } = open(server, head(server, "/admin/queue/pause", body.length));
      for (const letter of body) {
        await new Promise((resolve) => setTimeout(resolve, 40));
        socket.write(letter);
      }
      await expect.poll(answer).toMatch(/^HTTP\/1\.1 200 /);
      socket.destroy();
    }));

  test("pipelines requests gets its answers, each made after the one before", () =>
    withServer({}, async (server) => {
      const ahead = Array.from({ length: 10 }, (_, n) => {
        const body = JSON.stringify({ reason: "ahead" });
        const change = head(server, `/admin/queue/${n % 2 ? "resume" : "pause"}`, body.length) + body;
        return `${change}GET /admin/queue/status HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.adminToken}\r\n\r\n`;
      });
      const { socket, answer } = open(server, ahead.join(""));
      const isPaused = () => [...answer().matchAll(/"isPaused":(\w+)/g)].map(([, value]) => value);
      await expect.poll(() => isPaused().length, { timeout: 30_000 }).toBe(10);
      expect(isPaused()).toEqual(Array.from({ length: 10 }, (_, n) => String(n % 2 === 0)));
      socket.destroy();
    }));

  test("pipelines too many requests is disconnected", () =>
    withServer({}, async (server) => {
      const { closed, answer } = open(server, "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n".repeat(1_500));
      await closed;
      expect(answer().match(/HTTP\/1\.1 200/g)?.length ?? 0).toBeLessThan(200);
      expect((await server.ask("GET", "/healthz")).status).toBe(200);
    }));

  test("opens more connections than an address may have is refused, until it closes some", () =>
    withServer({ connectionsPerAddress: 20 }, async (server) => {
      const kept = Array.from({ length: 20 }, () => open(server, ""));
      await Promise.all(kept.map(({ socket }) => once(socket, "connect")));
      const refused = open(server, "");
      await refused.closed;
      expect(refused.answer()).toMatch(/^HTTP\/1\.1 429 /);
      expect(refused.answer()).toContain("TOO_MANY_CONNECTIONS");
      for (const { socket } of kept) socket.destroy();
      await expect.poll(async () => (await fetch(new URL("/healthz", server.url))).status).toBe(200);
    }));

  test("is refused before its body has arrived gets the answer, and its body is not read", () =>
    withServer({}, async (server) => {
      const connections = vi.spyOn(Server.prototype, "emit");
      const length = 1_900_000;
      const stranger = head(server, "/admin/queue/pause", length).replace(
        server.adminToken,
        "nobody-has-this-token",
      );
      for (const [request, status] of [
        [stranger, 401],
        [head(server, "/login", length), 413],
      ] as const) {
        const { answer, closed } = open(server, `${request}${" ".repeat(length - 1)}`);
        await closed;
        expect(answer()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
        const calls = connections.mock.calls as unknown as [name: string, socket: Socket][];
        const [, accepted] = calls.findLast(([name]) => name === "connection") ?? [];
        expect(accepted?.bytesRead).toBeLessThan(MOST_READ);
      }
      connections.mockRestore();
    }));

  test("has too many large bodies in flight is refused, and other clients are not", () =>
    withServer({ bodyTimeout: "10s" }, async (server) => {
      const token = await server.key(["queue.operate"]);
      const half = head(server, "/admin/queue/pause", 2_000_000).replace(server.adminToken, token);
      const bodies = Array.from({ length: 20 }, () => open(server, `${half}{"reason": "`));
      await expect.poll(() => bodies.filter(({ answer }) => answer() !== "").length).toBe(4);
      const refused = bodies.filter((body) => body.answer() !== "");
      for (const { answer } of refused) expect(answer()).toMatch(/^HTTP\/1\.1 429 [\s\S]*BODIES_IN_FLIGHT/);
      // Their bodies are not read further.
      await Promise.all(refused.map(({ closed }) => closed));
      expect((await server.ask("POST", "/admin/queue/pause", { body: { reason: "me" } })).status).toBe(200);
      for (const { socket } of bodies) socket.destroy();
    }));
});
