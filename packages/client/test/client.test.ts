import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient, RefusedError } from "@andon/client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage["headers"];
  body: string;
}

let server: Server;
let url = "";
let seen: Seen[] = [];
let answer = { status: 200, type: "application/json", body: "{}" };

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    seen.push({ method: request.method, url: request.url, headers: request.headers, body });
    response.writeHead(answer.status, { "content-type": answer.type }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});
beforeEach(() => {
  seen = [];
  answer = { status: 200, type: "application/json", body: "{}" };
});

describe("a call", () => {
  test("sends each member of the input as path, query or body, as the route defines", async () => {
    const client = createClient({ url, token: "t", language: "ko" });
    await client.queues.failed({ queue: "a b/c", page: 2, limit: 5 });
    await client.queues.skip({ queue: "mail", jobId: "7", reason: "done by hand" });
    expect(seen.map(({ method, url: path, body }) => [method, path, body])).toEqual([
      ["GET", "/admin/queues/a%20b%2Fc/failed?page=2&limit=5", ""],
      ["POST", "/admin/queues/mail/skip/7", '{"reason":"done by hand"}'],
    ]);
    expect(seen[0]?.headers).toMatchObject({ authorization: "Bearer t", "accept-language": "ko" });
    expect(seen[0]?.headers).not.toHaveProperty("content-type");
    expect(seen[1]?.headers["content-type"]).toBe("application/json");
  });

  test("sends no body without input, and no authorization without a token", async () => {
    await createClient({ url }).queues.resume({ queue: "mail" });
    expect(seen[0]?.body).toBe("");
    expect(seen[0]?.headers).not.toHaveProperty("authorization");
    expect(seen[0]?.headers).not.toHaveProperty("content-type");
  });

  test("rejects with the problem that the server sent", async () => {
    const problem = { error: "JOB_NOT_FOUND", message: "Job 7 was not found.", status: 404 };
    answer = { status: 404, type: "application/problem+json; charset=utf-8", body: JSON.stringify(problem) };
    const refused = await createClient({ url })
      .jobs.show({ id: "7" })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RefusedError);
    expect(refused).toMatchObject({ status: 404, code: "JOB_NOT_FOUND", message: "Job 7 was not found." });
  });

  test("rejects with the status if the answer is not a problem document", async () => {
    answer = { status: 502, type: "text/html", body: "<h1>Bad gateway</h1>" };
    const refused = await createClient({ url })
      .session.me()
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 502, code: undefined, message: "The server answered 502." });
  });

  test("rejects when its signal is aborted", async () => {
    const signal = AbortSignal.abort();
    await expect(createClient({ url }).session.me(undefined, { signal })).rejects.toThrow();
    expect(seen).toEqual([]);
  });
});
