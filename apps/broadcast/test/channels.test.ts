import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";
import { expect } from "vitest";
import { type BroadcastServer, channelId, describeBroadcast, until } from "./harness.ts";

const linesOf = (count: number) =>
  Array.from({ length: count }, (_, at) => `{"id":"${channelId(at)}"}\n`).join("");

/** Begins an import; the test ends it, or leaves it open. */
function beginImport(server: BroadcastServer): ClientRequest {
  const headers = {
    authorization: `Bearer ${server.adminToken}`,
    "content-type": "application/x-ndjson",
    "accept-language": "en",
  };
  return request(new URL("/channels", server.url), { method: "POST", headers });
}

async function answerTo(sent: ClientRequest) {
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  const body = (await json(response)) as any;
  return { status: response.statusCode, body };
}

describeBroadcast("channels", (it) => {
  it("are stored from a JSON array and from NDJSON, and stored again without doubling", {}, async (server) => {
    const first = [{ id: "b", name: "Bee" }, { id: "a" }];
    expect(await server.ask("POST", "/channels", { body: first })).toMatchObject({
      status: 200,
      body: { received: 2, stored: 2 },
    });
    const again = '{"id":"a","name":"Ay"}\n\n{"id":"c"}\n{"id":"c"}\n';
    expect(await server.done("POST", "/channels", { body: again })).toEqual({ received: 3, stored: 2 });
    const { total, items } = await server.done("GET", "/channels");
    expect(total).toBe(3);
    expect(items.map(({ id, name }: { id: string; name: string }) => [id, name])).toEqual([
      ["a", "Ay"],
      ["b", "Bee"],
      ["c", null],
    ]);
  });

  it("of a failed import are stored up to the failed batch, and the answer says how many", {}, async (server) => {
    const good = Array.from({ length: 4_100 }, (_, at) => `{"id":"${channelId(at)}"}`);
    const { status, body } = await server.ask("POST", "/channels", {
      body: [...good, '{"id":5}', '{"id":"later"}'].join("\n"),
    });
    expect([status, body.error]).toEqual([400, "VALIDATION_FAILED"]);
    expect(body.details[0]).toMatchObject({ in: "body", field: "line 4101.id" });
    expect(body.details[1].message).toContain("4000");
    expect((await server.done("GET", "/channels")).total).toBe(4_000);
    expect(await server.done("POST", "/channels", { body: good.join("\n") })).toEqual({
      received: 4_100,
      stored: 4_100,
    });
    expect((await server.done("GET", "/channels")).total).toBe(4_100);
  });

  it("of a large import are counted while they arrive, and after it failed", {}, async (server) => {
    const acme = await server.key(["bulk.read", "bulk.operate"], { tenantId: "acme" });
    const imports = async (token?: string) =>
      (await server.done("GET", "/channels/imports", token ? { token } : {})).items;
    const line = (at: number) => `{"id":"${channelId(at)}"}\n`;
    const lines = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => line(from + at)).join("");
    let goOn = () => {};
    const seen = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode(lines(0, 4_500)));
        await seen;
        controller.enqueue(new TextEncoder().encode(lines(4_500, 5_000)));
        controller.close();
      },
    });
    const sent = fetch(new URL("/channels", server.url), {
      method: "POST",
      headers: { authorization: `Bearer ${server.adminToken}`, "content-type": "application/x-ndjson" },
      body,
      duplex: "half",
    } as RequestInit);
    await until(async () => (await imports())[0]?.stored === 4_000);
    expect(await imports()).toMatchObject([{ state: "RUNNING", received: 4_000, createdBy: "admin" }]);
    goOn();
    expect(await (await sent).json()).toEqual({ received: 5_000, stored: 5_000 });
    expect(await imports()).toMatchObject([{ state: "DONE", received: 5_000, stored: 5_000 }]);
    await server.refused("POST", "/channels", { body: `${lines(0, 2_100)}oops`, token: acme });
    expect(await imports(acme)).toMatchObject([{ state: "BROKEN", received: 2_100, stored: 2_000 }]);
    await server.done("POST", "/channels", { body: [{ id: "a" }], token: acme });
    expect(await imports(acme)).toHaveLength(1);
  });

  it("of an import that stalls are counted in its 408", {
    settings: { http: { bodyTimeout: 300 } },
  }, async (server) => {
    const sent = beginImport(server);
    sent.write(linesOf(4_100));
    const { status, body } = await answerTo(sent);
    expect([status, body.error, body.details]).toEqual([
      408,
      "IMPORT_TIMED_OUT",
      { received: 4_100, stored: 4_000 },
    ]);
    expect(body.message).toContain("Send it again");
    expect((await server.done("GET", "/channels")).total).toBe(4_000);
    expect((await server.done("GET", "/channels/imports")).items).toMatchObject([
      { state: "BROKEN", received: 4_100, stored: 4_000 },
    ]);
    expect(await server.done("POST", "/channels", { body: linesOf(4_100) })).toMatchObject({ stored: 4_100 });
  });

  it("with long names are stored in batches of fewer channels", {}, async (server) => {
    const sent = beginImport(server);
    const name = "n".repeat(500);
    sent.write(
      Array.from({ length: 600 }, (_, at) => `{"id":"${channelId(at)}","name":"${name}"}\n`).join(""),
    );
    const stored = async () => (await server.done("GET", "/channels")).total;
    await until(async () => (await stored()) > 0);
    expect(await stored()).toBeLessThan(600);
    sent.end();
    expect((await answerTo(sent)).body).toEqual({ received: 600, stored: 600 });
  });

  it("of too many imports at once are refused", {}, async (server) => {
    const imports = Array.from({ length: 40 }, () => beginImport(server));
    const refused: unknown[] = [];
    for (const sent of imports) {
      sent.on("error", () => {});
      sent.once("response", async (response) =>
        refused.push(((await json(response)) as { error: unknown }).error),
      );
      sent.write('{"id":"a"}\n{"id"');
    }
    await until(async () => refused.length === 8);
    expect(new Set(refused)).toEqual(new Set(["BODIES_IN_FLIGHT"]));
    for (const sent of imports) sent.destroy();
    await until(async () => (await server.ask("POST", "/channels", { body: '{"id":"a"}' })).status === 200);
  });

  it("of an import with a bad line in the middle are counted, and its connection is closed", {
    settings: { http: { bodyTimeout: 300 } },
  }, async (server) => {
    const sent = beginImport(server);
    sent.write(`${linesOf(2_000)}oops\n${linesOf(10)}`);
    const closed = once(sent, "close");
    const { status, body } = await answerTo(sent);
    expect([status, body.details[0].field]).toEqual([400, "line 2001"]);
    // Regression: the timer for idle bodies read a request that had released its connection, and the process ended.
    await closed;
    expect((await server.done("GET", "/channels")).total).toBe(2_000);
  });

  it("refuse invalid bodies", {}, async (server) => {
    for (const body of [{ id: "a" }, [{ id: "" }], [{ id: "a", colour: "red" }], "not json", '["a"]'])
      expect((await server.refused("POST", "/channels", { body })).error).toBe("VALIDATION_FAILED");
    expect((await server.ask("POST", "/bulk-jobs", { body: '{"a":1}' })).status).toBe(415);
  });

  it("are deleted one by one, only by their own tenant and organisation", {}, async (server) => {
    const acme = await server.key(["bulk.read", "bulk.operate"], { tenantId: "acme" });
    const east = await server.key(["bulk.read", "bulk.operate"], {
      tenantId: "acme",
      organizationId: "east",
    });
    const west = await server.key(["bulk.read", "bulk.operate"], {
      tenantId: "acme",
      organizationId: "west",
    });
    const add = (token: string, id: string) => server.ask("POST", "/channels", { token, body: [{ id }] });
    const ids = async (token: string) =>
      (await server.done("GET", "/channels", { token })).items.map((item: { id: string }) => item.id);
    await add(acme, "one");
    await add(east, "two");
    expect((await add(west, "two")).body.error).toBe("NAME_TAKEN");
    expect((await add(west, "two")).status).toBe(409);
    expect((await add(west, "one")).status).toBe(409);
    await server.done("POST", "/channels", { body: [{ id: "one" }] });
    expect([await ids(acme), await ids(east), await ids(west)]).toEqual([["one", "two"], ["two"], []]);
    expect((await server.ask("DELETE", "/channels/two", { token: west })).status).toBe(404);
    expect((await server.ask("DELETE", "/channels/two", { token: east })).status).toBe(200);
    expect((await server.refused("DELETE", "/channels/two", { token: acme })).error).toBe(
      "CHANNEL_NOT_FOUND",
    );
    expect(await ids(acme)).toEqual(["one"]);
  });
});
