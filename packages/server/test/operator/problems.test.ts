import { connect } from "node:net";
import { expect } from "vitest";
import { describeServers } from "../harness.ts";

describeServers("a refused request", (it) => {
  it("is answered with a problem (RFC 9457) with Andon's own members", {}, async (server) => {
    const { reply, ...problem } = await server.refused("GET", "/admin/queues/nothing/status");
    expect(reply.headers.get("content-type")).toMatch(/^application\/problem\+json/);
    expect(problem).toEqual({
      type: "urn:andon:error:QUEUE_NOT_FOUND",
      title: "찾을 수 없음",
      status: 404,
      detail: '큐 "nothing"을 찾을 수 없습니다.',
      instance: "/admin/queues/nothing/status",
      statusCode: 404,
      error: "QUEUE_NOT_FOUND",
      message: '큐 "nothing"을 찾을 수 없습니다.',
      details: { queue: "nothing" },
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(reply.headers.get("x-trace-id")).toBe(problem.traceId);
  });

  it("is answered in Korean unless English is requested", {}, async (server) => {
    const ask = async (language: string | undefined) => {
      const headers = language === undefined ? {} : { "accept-language": language };
      return (await server.refused("GET", "/admin/queues/nothing", { headers })).message;
    };
    expect(await ask("en")).toMatch(/^There is no queue/);
    expect(await ask("ko;q=0.4, en;q=0.8")).toMatch(/^There is no queue/);
    for (const language of [undefined, "*", "de", "ko-KR", "ja, ko;q=0.1"]) {
      expect(await ask(language)).toMatch(/찾을 수 없습니다/);
    }
  });

  it("says what to send instead", {}, async (server) => {
    const key = { name: "k", permissions: ["queue.read"] };
    const either = "다음 중 하나만 있어야 합니다: code, token";
    for (const [method, path, body, field, message] of [
      ["GET", "/admin/jobs?page=1&page=2", undefined, "page", "두 번 이상 있습니다"],
      ["POST", "/login", {}, "", either],
      ["POST", "/login", { code: "a", token: "b" }, "", either],
      [
        "POST",
        "/admin/keys",
        { ...key, expiresAt: "2999-01-01T00:00:00+09:00" },
        "expiresAt",
        "2026-11-16T07:00:00Z와 같은 UTC 시각이어야 합니다",
      ],
      [
        "POST",
        "/admin/keys",
        { ...key, expiresAt: "2020-01-01T00:00:00Z" },
        "expiresAt",
        "앞으로 올 시각이어야 합니다",
      ],
      [
        "POST",
        "/admin/plans",
        { action: "retry", queue: "nas-sync", ids: ["x"], filter: {} },
        "filter",
        "ids와 filter 중 하나만 쓸 수 있습니다",
      ],
    ] as const) {
      const refused = await server.refused(method, path, body === undefined ? {} : { body });
      expect(refused.details).toEqual([expect.objectContaining({ field, message })]);
    }
  });

  it("names each invalid field, and changes nothing", { queues: { mail: {} } }, async (server) => {
    const unknown = await server.refused("POST", "/admin/queues/mail/jobs", {
      body: { payload: 1, priorty: 5, priority: "high" },
      headers: { "accept-language": "en" },
    });
    expect([unknown.status, unknown.error]).toEqual([400, "VALIDATION_FAILED"]);
    const fields = unknown.details as { in: string; field: string; message: string }[];
    expect(fields.map(({ in: part, field }) => [part, field])).toEqual([
      ["body", "priority"],
      ["body", "priorty"],
    ]);
    expect(fields[1]?.message).toMatch(/priority/);
    expect((await server.client().queues.status({ queue: "mail" })).waiting).toBe(0);
  });

  it("covers queries, bodies that are not JSON, and unexpected bodies", {}, async (server) => {
    for (const [method, path, asked] of [
      ["GET", "/admin/queue/failed?page=0", {}],
      ["GET", "/admin/queue/failed?limit=ten", {}],
      ["GET", "/admin/queue/failed?sort=up", {}],
      ["GET", "/admin/jobs?state=gone", {}],
      ["POST", "/admin/queue/pause", { body: "{not json" }],
      ["POST", "/admin/queue/pause", { body: [] }],
      ["POST", "/admin/queue/pause", { body: { reason: 5 } }],
      ["POST", "/admin/queue/pause", { body: '{"__proto__": {"reason": "x"}}' }],
      ["POST", "/admin/alerts/test", { body: { extra: true } }],
    ] as const) {
      const refused = await server.refused(method, path, asked);
      expect([path, refused.status, refused.error]).toEqual([path, 400, "VALIDATION_FAILED"]);
    }
    expect((await server.client().queues.status({ queue: "nas-sync" })).isPaused).toBe(false);
  });

  it("has all its texts in one language", { queues: { mail: {} } }, async (server) => {
    const [pause, skip, jobs] = ["/admin/queue/pause", "/admin/queue/skip/1", "/admin/queues/mail/jobs"];
    for (const [method, path, body] of [
      ["POST", "/admin/alerts/test", { extra: true }],
      ["POST", skip, { reason: " " }],
      ["POST", pause, { reason: "a\0b" }],
      ["POST", pause, { raeson: "x" }],
      ["POST", pause, { colour: "x" }],
      ["POST", pause, "{not json"],
      ["POST", pause, '{"__proto__": {"reason": "x"}}'],
      ["POST", "/admin/keys", { name: " ", permissions: ["admin"] }],
      ["GET", "/admin/queues/%20/status", undefined],
    ] as const) {
      const asked = body === undefined ? {} : { body };
      const korean = await server.refused(method, path, asked);
      const english = await server.refused(method, path, { ...asked, headers: { "accept-language": "en" } });
      expect([path, korean.error]).toEqual([path, "VALIDATION_FAILED"]);
      const fields = korean.details as { message: string }[];
      expect(fields.length).toBeGreaterThan(0);
      for (const text of [korean.message, ...fields.map(({ message }) => message)])
        expect(text).toMatch(/[가-힣]/);
      expect(korean.message).not.toMatch(/[a-z]+ [a-z]+/i);
      expect(english.message).not.toMatch(/[가-힣]/);
      for (const { message } of [korean, english]) expect(message).not.toMatch(/[.?]\.|\.;/);
    }
    for (const body of [{ delay: "soon" }, { key: "a", keys: ["b"] }]) {
      const korean = await server.refused("POST", jobs, { body });
      expect([korean.error, korean.message]).toEqual(["VALIDATION_FAILED", expect.stringMatching(/[가-힣]/)]);
      expect(JSON.stringify(korean.details)).not.toMatch(/the job|either|milliseconds/);
    }
  });

  it("has a hint with the nearest known name, or all known names", {}, async (server) => {
    const hint = async (body: object, language: string) => {
      const headers = { "accept-language": language };
      const { details } = await server.refused("POST", "/admin/queue/pause", { body, headers });
      return (details as { message: string }[])[0]?.message;
    };
    expect(await hint({ raeson: "x" }, "en")).toMatch(/ \(did you mean "reason"\?\)$/);
    expect(await hint({ raeson: "x" }, "ko")).toMatch(/ \("reason"을 쓰려고 했나요\?\)$/);
    expect(await hint({ colour: "x" }, "en")).toMatch(/ \(known: reason\)$/);
    expect(await hint({ colour: "x" }, "ko")).toMatch(/ \(쓸 수 있는 것: reason\)$/);
  });

  it("is answered with a problem and all headers if the router refuses it", {}, async (server) => {
    const usual = (await server.refused("GET", "/admin/nowhere")).reply.headers;
    const secure = [...usual.keys()].filter((name) =>
      /^(x-|content-sec|cross-|origin-|referrer|strict-)/.test(name),
    );
    expect(secure.length).toBeGreaterThan(10);
    for (const [method, path, status, error] of [
      ["GET", "/admin/jobs/%E0%A4%A", 400, "VALIDATION_FAILED"],
      ["GET", `/admin/jobs/${"a".repeat(5_000)}`, 414, "PATH_TOO_LONG"],
      ["PROPFIND", "/admin/queues", 404, "NOT_FOUND"],
      ["OPTIONS", "/admin/queues", 404, "NOT_FOUND"],
      ["DELETE", "/admin/queues", 404, "NOT_FOUND"],
    ] as const) {
      const { reply, ...problem } = await server.refused(method, path);
      expect(reply.headers.get("content-type")).toMatch(/^application\/problem\+json/);
      expect(problem).toEqual({
        type: `urn:andon:error:${error}`,
        title: expect.stringMatching(/[가-힣]/),
        status,
        detail: expect.stringMatching(/[가-힣]/),
        instance: path,
        statusCode: status,
        error,
        message: problem.detail,
        details: expect.anything(),
        traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      });
      expect(reply.headers.get("x-trace-id")).toBe(problem.traceId);
      expect(secure.filter((name) => !reply.headers.has(name))).toEqual([]);
    }
  });

  it("names the missing reason of a skip, and members that a plan has twice", {
    queues: { mail: {} },
  }, async (server) => {
    const skip = await server.refused("POST", "/admin/queue/skip/12345");
    expect([skip.status, skip.error]).toEqual([400, "VALIDATION_FAILED"]);
    expect(skip.details).toMatchObject([{ in: "body", field: "reason" }]);
    const key = await server.refused("POST", "/admin/keys");
    expect((key.details as { field: string }[]).map(({ field }) => field)).toEqual(["name", "permissions"]);
    const plan = await server.refused("POST", "/admin/plans", {
      body: { queue: "mail", action: "cancel", ids: ["x"], filter: { key: "k" } },
    });
    expect([plan.status, plan.error]).toEqual([400, "VALIDATION_FAILED"]);
    expect(plan.details).toMatchObject([{ in: "body", field: "filter" }]);
  });

  it("is a 401 without a token, whether the route exists or not", {}, async (server) => {
    for (const [method, path] of [
      ["GET", "/admin/nowhere"],
      ["DELETE", "/admin/queues"],
      ["POST", "/admin/queue/nothing"],
      ["GET", "/files"],
      ["GET", "/nowhere"],
      ["POST", "/healthz"],
      ["PUT", "/"],
    ] as const) {
      const refused = await server.refused(method, path, { token: null });
      expect([path, refused.status, refused.error]).toEqual([path, 401, "UNAUTHENTICATED"]);
      const known = await server.refused(method, path);
      expect([path, known.status, known.error]).toEqual([path, 404, "NOT_FOUND"]);
    }
    for (const method of ["GET", "HEAD"]) {
      for (const path of ["/", "/queues/mail", "/healthz"]) {
        const headers = { accept: "text/html" };
        const { status } = await fetch(new URL(path, server.url), { method, headers });
        expect([method, path, status]).not.toEqual([method, path, 401]);
      }
      const docs = await fetch(new URL("/docs/static/index.html", server.url), { method });
      expect([method, docs.status]).toEqual([method, 401]);
    }
  });

  it("has a code of its own for size, media type and unknown paths", { bodyLimit: 2_048 }, async (server) => {
    const large = await server.refused("POST", "/admin/queue/pause", { body: { reason: "x".repeat(4_000) } });
    expect([large.status, large.error]).toEqual([413, "BODY_TOO_LARGE"]);
    const text = await server.refused("POST", "/admin/queue/pause", {
      body: "reason=x",
      headers: { "content-type": "text/plain" },
    });
    expect([text.status, text.error]).toEqual([415, "MEDIA_TYPE"]);
    for (const headers of [
      { "content-type": "application/json; charset=euc-kr" },
      { "content-type": "application/json", "content-encoding": "gzip" },
    ]) {
      const url = new URL("/admin/queues/mail/pause", server.url);
      const authorization = `Bearer ${server.adminToken}`;
      const answer = await fetch(url, { method: "POST", body: "{}", headers: { authorization, ...headers } });
      expect(answer.status).toBe(415);
    }
    const path = await server.refused("GET", "/admin/nowhere?x=1");
    expect([path.status, path.error]).toEqual([404, "NOT_FOUND"]);
  });

  it("is a 404 for an unknown job, whatever the form of its id", {}, async (server) => {
    for (const name of ["999999", "abc", "0190e1e1-0000-7000-8000-000000000000", "%20"]) {
      for (const [method, path] of [
        ["GET", "failed"],
        ["GET", "events"],
        ["POST", "retry"],
      ] as const) {
        const refused = await server.refused(method, `/admin/queue/${path}/${name}`);
        expect([path, name, refused.status, refused.error]).toEqual([path, name, 404, "JOB_NOT_FOUND"]);
      }
    }
  });

  it("is answered with a problem even if it is not valid HTTP", {}, async (server) => {
    const { hostname, port } = new URL(server.url);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () =>
        socket.end("GET /files?text=보고 HTTP/1.1\r\n\r\n"),
      );
      let text = "";
      socket.on("data", (piece) => {
        text += piece;
      });
      socket.on("end", () => resolve(text));
      socket.on("error", reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain("application/problem+json");
    expect(JSON.parse(answer.slice(answer.indexOf("{")))).toMatchObject({
      status: 400,
      error: "VALIDATION_FAILED",
      message: expect.stringMatching(/올바른 HTTP 요청이 아닙니다/),
      details: [{ in: "request", field: "", message: expect.stringMatching(/올바른 HTTP/) }],
    });
    expect(answer).toMatch(/^x-content-type-options: nosniff\r$/m);
    expect(answer).toMatch(/^content-security-policy: default-src 'none'/m);
  });

  it("is not caused by an optional body that is absent or empty", {}, async (server) => {
    const headers = { "content-type": "application/json" };
    expect((await server.ask("POST", "/admin/queue/pause", { headers })).status).toBe(200);
    expect((await server.ask("POST", "/admin/queue/resume", { body: {} })).status).toBe(200);
  });

  it("is not caused by a large page size, which is capped at 100", {}, async (server) => {
    const { body } = await server.ask("GET", "/admin/queue/failed?limit=5000");
    expect(body).toMatchObject({ total: 0, page: 1, limit: 100, items: [] });
  });

  it("never shows an internal error", {}, async (server) => {
    const { andon } = server.site;
    const read = andon.store.read as { queue: unknown };
    const { queue } = read;
    read.queue = async () => {
      throw new Error("secret: select * from andon_queues");
    };
    const refused = await server.refused("GET", "/admin/queue/status");
    read.queue = queue;
    expect([refused.status, refused.error]).toEqual([500, "INTERNAL"]);
    expect(JSON.stringify(refused)).not.toMatch(/secret|select|\.ts|at /);
  });
});
