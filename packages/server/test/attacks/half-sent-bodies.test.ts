import { once } from "node:events";
import { IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Keys } from "../../src/access/keys.ts";
import { BodiesInFlight } from "../../src/http/bodies-in-flight.ts";
import { TestServer } from "../harness.ts";

afterEach(() => vi.restoreAllMocks());

interface Sender {
  readonly socket: Socket;
  answer(): string;
  readonly closed: Promise<unknown>;
}

/** Sends the head of a request and only a part of its body. */
function beginBody(server: TestServer, token: string): Sender {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  let answer = "";
  socket.on("data", (piece) => {
    answer += piece;
  });
  socket.on("error", () => {});
  const head = [
    "POST /admin/queue/pause HTTP/1.1",
    "host: x",
    `authorization: Bearer ${token}`,
    "content-type: application/json",
    "content-length: 1900000",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  return { socket, answer: () => answer, closed: once(socket, "close") };
}

/** Holds every lookup of a key until `open` is called. */
function holdLookups(): { begun(): number; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { find } = Keys.prototype;
  const lookups = vi.spyOn(Keys.prototype, "find").mockImplementation(async function (this: Keys, token) {
    await opened;
    return find.call(this, token);
  });
  return { begun: () => lookups.mock.calls.length, open };
}

/** The chunks of bodies that Node has delivered, in order. */
function piecesOfBodies(): () => Buffer[] {
  const pushes = vi.spyOn(IncomingMessage.prototype, "push");
  return () => pushes.mock.calls.map(([piece]) => piece as Buffer).filter((piece) => piece !== null);
}

const bytesIn = (pieces: readonly Buffer[]) => pieces.reduce((sum, piece) => sum + piece.length, 0);

/** One read of 64 KB, and the 16 KB that may wait before it. */
const MOST_UNREAD = (64 + 16) * 1024;

describe("a body whose caller's key is being looked up", () => {
  test("is not read beyond one read, and is freed completely when it is refused", async () => {
    const server = await TestServer.start("sqlite");
    try {
      const token = await server.key(["queue.read"]);
      const lookups = holdLookups();
      const pieces = piecesOfBodies();
      const small = beginBody(server, token);
      for (let sent = 1; sent <= 3; sent++) {
        small.socket.write("x".repeat(1_000));
        await expect.poll(() => bytesIn(pieces())).toBe(sent * 1_000);
      }
      const large = beginBody(server, token);
      large.socket.write("x".repeat(1_000_000));
      await expect.poll(lookups.begun).toBe(2);
      await expect.poll(() => bytesIn(pieces())).toBeGreaterThan(16 * 1024);
      // If Node read more, it would do so before it answers these requests.
      for (let n = 0; n < 5; n++) await server.ask("GET", "/healthz");
      expect(bytesIn(pieces())).toBeLessThanOrEqual(MOST_UNREAD + 3_000);
      lookups.open();
      await Promise.all([small.closed, large.closed]);
      expect([small.answer(), large.answer()]).toEqual([
        expect.stringContaining("FORBIDDEN"),
        expect.stringContaining("FORBIDDEN"),
      ]);
      expect(pieces().map((piece) => piece.buffer.byteLength)).toEqual(pieces().map(() => 0));
    } finally {
      await server.close();
    }
  });

  test("counts for the address until the lookup has ended", async () => {
    const server = await TestServer.start("sqlite");
    try {
      const token = await server.key(["queue.read"]);
      const lookups = holdLookups();
      const senders = Array.from({ length: 300 }, () => beginBody(server, token));
      await expect.poll(() => senders.filter(({ answer }) => answer() !== "").length).toBe(44);
      expect(lookups.begun()).toBe(256);
      const refused = senders.filter(({ answer }) => answer() !== "");
      for (const { answer } of refused) expect(answer()).toMatch(/^HTTP\/1\.1 429 [\s\S]*BODIES_IN_FLIGHT/);
      // A request without a body is not refused.
      expect((await server.ask("GET", "/healthz")).status).toBe(200);
      lookups.open();
      await Promise.all(senders.map(({ closed }) => closed));
      const next = beginBody(server, token);
      await next.closed;
      expect(next.answer()).toContain("FORBIDDEN");
    } finally {
      await server.close();
    }
  });
});

describe("bodies in flight", () => {
  test("are limited per caller and in total, but each caller may always have one", () => {
    const bodies = new BodiesInFlight({ perCaller: 100, inAll: 150 });
    expect(bodies.take("a", 500)).toBeDefined();
    expect(bodies.take("a", 1)).toBeUndefined();
    const giveBack = bodies.take("b", 60);
    expect(bodies.take("b", 1)).toBeUndefined();
    expect(bodies.take("c", 60)).toBeDefined();
    giveBack?.();
    giveBack?.();
    expect(bodies.take("b", 60)).toBeDefined();
    expect(bodies.take("c", 1)).toBeUndefined();
  });

  test("free their bytes when they end", () => {
    const bodies = new BodiesInFlight({ perCaller: 100, inAll: 150 });
    const ends = [bodies.take("a", 60), bodies.take("b", 60)];
    expect(bodies.take("b", 40)).toBeUndefined();
    ends[0]?.();
    expect(bodies.take("b", 40)).toBeDefined();
    expect(bodies.take("b", 1)).toBeUndefined();
  });
});
