import { expect, test } from "vitest";
import { remoteParentOf, traceIdOf } from "../../src/observe/trace-id.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

test("a request keeps the trace id of its caller", () => {
  expect(traceIdOf({ traceparent: `00-${TRACE}-${SPAN}-01` })).toBe(TRACE);
  expect(remoteParentOf({ traceparent: `00-${TRACE}-${SPAN}-01` })).toEqual({
    traceId: TRACE,
    spanId: SPAN,
    flags: 1,
  });
});

test("a later version of the header may have more parts", () => {
  expect(traceIdOf({ traceparent: `01-${TRACE}-${SPAN}-00-more` })).toBe(TRACE);
});

test.each([
  undefined,
  "",
  "nonsense",
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${"0".repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${"0".repeat(16)}-01`,
  `ff-${TRACE}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-01-more`,
  `00-${TRACE}\n-${SPAN}-01`,
])("with the header %j it gets a new one", (traceparent) => {
  const headers = traceparent === undefined ? {} : { traceparent };
  expect(traceIdOf(headers)).toMatch(/^[0-9a-f]{32}$/);
  expect(traceIdOf(headers)).not.toBe(traceIdOf(headers));
});
