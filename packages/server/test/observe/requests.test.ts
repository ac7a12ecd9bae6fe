import Fastify, { type FastifyBaseLogger, LogController } from "fastify";
import { expect, test } from "vitest";
import { openLog } from "../../src/observe/log.ts";
import { observeRequests } from "../../src/observe/requests.ts";
import { traceIdOf } from "../../src/observe/trace-id.ts";

test("a request writes one log line and one metric, with the pattern of its route and without its query", async () => {
  const lines: string[] = [];
  const counted: unknown[][] = [];
  const app = Fastify({
    loggerInstance: openLog("info", { write: (line: string) => void lines.push(line) }) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (request) => traceIdOf(request.headers),
  });
  const countRequest = (...facts: unknown[]) => void counted.push(facts);
  observeRequests(app, { countRequest, contentType: "", text: async () => "" });
  app.get("/files/:id", async () => ({}));
  app.get("/healthz", async () => ({}));
  const { headers } = await app.inject("/files/7?token=hunter2");
  await app.inject("/healthz");
  await app.inject("/wp-admin/1");
  await app.close();

  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: "info",
      msg: "request",
      method: "GET",
      route: "/files/:id",
      path: "/files/7",
      status: 200,
      actor: null,
      traceId: headers["x-trace-id"],
    },
    { route: "unmatched", path: "/wp-admin/1", status: 404 },
  ]);
  expect(lines.join("")).not.toContain("hunter2");
  expect(counted.map((facts) => facts.slice(0, 3))).toEqual([
    ["/files/:id", "GET", 200],
    ["/healthz", "GET", 200],
    ["unmatched", "GET", 404],
  ]);
});
