import { expect } from "vitest";
import { costOfJson } from "../../src/http/json-cost.ts";
import { describeServers, type TestServer } from "../harness.ts";

const MOST_BYTES = 16 * 1024;
const KEYS = Array.from({ length: 2_400 }, (_, index) => `k${index}`);
const WIDE_BODY = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key-${index}`, index]));

async function answerTo(server: TestServer, method: string, path: string, options: RequestInit = {}) {
  const answer = await fetch(new URL(path, server.url), { method, ...options });
  const bytes = await answer.arrayBuffer();
  return { status: answer.status, size: bytes.byteLength, text: new TextDecoder().decode(bytes) };
}

describeServers("an error to bad input", (it) => {
  it("has at most 16 KB, whatever is wrong with the request", {
    queues: { mail: {} },
  }, async (server) => {
    const authorization = `Bearer ${server.adminToken}`;
    const json = { authorization, "content-type": "application/json" };
    const long = "한".repeat(300_000);
    const form = new FormData();
    form.append("x".repeat(10_000), "y".repeat(60_000));
    const asked: [string, string, RequestInit?][] = [
      ["GET", `/healthz?${KEYS.join("&")}`],
      ["GET", `/admin/jobs?${KEYS.join("&")}`, { headers: { authorization } }],
      ["POST", "/admin/queues/mail/pause", { headers: json, body: JSON.stringify(WIDE_BODY) }],
      ["POST", "/admin/queues/mail/pause", { headers: json, body: JSON.stringify({ [long]: 1 }) }],
      ["POST", "/admin/queues/mail/pause", { headers: json, body: JSON.stringify({ reason: long }) }],
      [
        "POST",
        "/admin/plans",
        {
          headers: json,
          body: JSON.stringify({ action: "retry", queue: "mail", ids: Array(90_000).fill(7) }),
        },
      ],
      ["POST", "/admin/keys", { headers: json, body: JSON.stringify({ name: "a", permissions: [long] }) }],
      ["GET", `/nowhere/${"%00".repeat(4_000)}`, { headers: { authorization } }],
      ["GET", `/nowhere/${"a".repeat(12_000)}`],
      ["POST", "/admin/queues/mail/jobs", { headers: { authorization }, body: form }],
    ];
    for (const [method, path, options] of asked) {
      const { status, size, text } = await answerTo(server, method, path, options);
      expect([path.slice(0, 40), status >= 400 && status < 500]).toEqual([path.slice(0, 40), true]);
      expect(size).toBeLessThanOrEqual(MOST_BYTES);
      expect(JSON.parse(text)).toMatchObject({ status, traceId: expect.any(String) });
    }
  });

  it("names the first fields, and says that there are more", {}, async (server) => {
    const { body } = await server.ask("GET", `/healthz?${KEYS.join("&")}`, {
      token: null,
      headers: { "accept-language": "en" },
    });
    expect(body.details).toHaveLength(21);
    expect(body.details[0]).toMatchObject({ in: "query", field: "k0" });
    expect(body.details.at(-1).message).toMatch(/^and more/);
  });

  it("is sent for JSON that is too deep or too wide, before parsing", {
    queues: { mail: {} },
  }, async (server) => {
    for (const body of ["[".repeat(1_000_000) + "]".repeat(1_000_000), `[${"0,".repeat(900_000)}0]`]) {
      const refused = await server.refused("POST", "/admin/queues/mail/jobs", { body });
      expect([refused.status, refused.error]).toEqual([400, "VALIDATION_FAILED"]);
    }
    const payload = { text: '[[[["', list: Array.from({ length: 50_000 }, () => 1) };
    expect((await server.ask("POST", "/admin/queues/mail/jobs", { body: { payload } })).status).toBe(201);
    expect(costOfJson(JSON.stringify("[".repeat(500)))).toBeUndefined();
  });

  it("is sent for a login body of more than 16 KB", {}, async (server) => {
    const body = { token: "x".repeat(17_000) };
    const refused = await server.refused("POST", "/login", { body, token: null });
    expect([refused.status, refused.details]).toEqual([413, { most: 16_384 }]);
    const chunked = await fetch(new URL("/login", server.url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: new Blob([JSON.stringify(body)]).stream(),
      duplex: "half",
    } as RequestInit);
    expect(chunked.status).toBe(413);
  });
});
