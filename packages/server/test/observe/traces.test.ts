import Fastify from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { observeRequests } from "../../src/observe/requests.ts";
import { traceIdOf } from "../../src/observe/trace-id.ts";
import { openTraces, type Traces } from "../../src/observe/traces.ts";
import { startReceiver } from "./otlp-receiver.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

let receiver: Awaited<ReturnType<typeof startReceiver>>;
let traces: Traces;
beforeEach(async () => {
  receiver = await startReceiver();
  traces = await openTraces({ endpoint: `${receiver.url}/` });
});
afterEach(() => receiver.close());

const found = (name: string) => receiver.spans.find((span) => span.name === name);

async function requestWith(headers: Record<string, string>) {
  const app = Fastify({ genReqId: (request) => traceIdOf(request.headers) });
  observeRequests(app, { countRequest() {}, contentType: "", text: async () => "" }, traces);
  app.post("/files/:id", async () => {
    await new Promise(setImmediate);
    return traces.below("store add", {}, async () => ({ ok: true }));
  });
  const { headers: answered } = await app.inject({
    method: "POST",
    url: "/files/7?a=b",
    headers,
    payload: { a: 1 },
  });
  await app.close();
  await traces.close();
  return answered["x-trace-id"];
}

test("a request's span is in its caller's trace, with the store's spans below it", async () => {
  expect(await requestWith({ traceparent: `00-${TRACE}-${SPAN}-01` })).toBe(TRACE);
  const request = found("POST /files/:id");
  expect(request).toMatchObject({ traceId: TRACE, parentSpanId: SPAN });
  expect(found("store add")).toMatchObject({ traceId: TRACE, parentSpanId: request?.spanId });
});

test("a request without a caller's trace starts the trace that its answer names", async () => {
  const traceId = await requestWith({});
  expect(found("POST /files/:id")).toMatchObject({ traceId });
  expect(found("POST /files/:id")?.parentSpanId ?? "").toBe("");
});

test("a job's span is in the trace of the request that added it", async () => {
  const result = await traces.inTrace(TRACE, "job mail", {}, async () =>
    traces.below("store commit", {}, async () => "sent"),
  );
  await traces.close();
  expect(result).toBe("sent");
  expect(found("job mail")).toMatchObject({ traceId: TRACE });
  expect(found("store commit")).toMatchObject({ traceId: TRACE, parentSpanId: found("job mail")?.spanId });
});

test.each([null, "not a trace id"])("a job with the trace id %j gets a trace of its own", async (traceId) => {
  traces.inTrace(traceId, "job mail", {}, () => 1);
  await traces.close();
  expect(found("job mail")?.traceId).toMatch(/^[0-9a-f]{32}$/);
});

test("an error is rethrown, and its span has the status error", async () => {
  const failing = () =>
    traces.inTrace(TRACE, "job mail", {}, async () => Promise.reject(new TypeError("no")));
  await expect(failing()).rejects.toThrow("no");
  await traces.close();
  expect(found("job mail")).toMatchObject({ status: { code: 2, message: "TypeError" } });
});

test("a collector that does not answer does not keep the process from ending", async () => {
  await receiver.close();
  receiver = await startReceiver();
  traces.inTrace(TRACE, "job mail", {}, () => 1);
  await expect(traces.close()).resolves.toBeUndefined();
});
