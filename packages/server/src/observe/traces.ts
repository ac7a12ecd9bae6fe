import {
  type Attributes,
  context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import type { Settings } from "../config/settings.ts";
import { isTraceId, newTraceId, type RemoteParent } from "./trace-id.ts";

/** The spans of this process. Without an endpoint no spans are made. */
export interface Traces {
  /** Starts the span of a request, with its trace id. */
  request(name: string, traceId: string, parent: RemoteParent | undefined, attributes: Attributes): Span;
  /** Runs `work` in a span of a trace that began elsewhere, such as the request that added a job. */
  inTrace<T>(traceId: string | null, name: string, attributes: Attributes, work: () => T): T;
  /** Runs `work` in a child of the current span; without a current span, in none. */
  below<T>(name: string, attributes: Attributes, work: () => T): T;
  /** Runs `work` below a span that was started by hand. */
  within<T>(span: Span, work: () => T): T;
  /** Sends the remaining spans, and ends. */
  close(): Promise<void>;
}

const SCOPE = "andon";
/** How long a hanging collector may delay the end of the process. */
const LAST_SEND_MS = 3_000;

export async function openTraces(settings: Settings["telemetry"]): Promise<Traces> {
  return settings.endpoint === undefined ? NO_TRACES : startTraces(settings.endpoint);
}

const noSpan = trace.wrapSpanContext({ traceId: "", spanId: "", traceFlags: 0 });

export const NO_TRACES: Traces = {
  request: () => noSpan,
  inTrace: (_traceId, _name, _attributes, work) => work(),
  below: (_name, _attributes, work) => work(),
  within: (_span, work) => work(),
  close: async () => {},
};

/** The SDK is loaded only with an endpoint, because it is larger than the rest of the process. */
async function startTraces(endpoint: string): Promise<Traces> {
  const [sdk, { OTLPTraceExporter }, { resourceFromAttributes }, { AsyncLocalStorageContextManager }] =
    await Promise.all([
      import("@opentelemetry/sdk-trace-base"),
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("@opentelemetry/resources"),
      import("@opentelemetry/context-async-hooks"),
    ]);
  const ids = new PlannedIds(new sdk.RandomIdGenerator());
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, "")}/v1/traces` });
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({ "service.name": process.env.OTEL_SERVICE_NAME ?? "andon" }),
    idGenerator: ids,
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const tracer = provider.getTracer(SCOPE);

  const within = <T>(span: Span, work: () => T): T =>
    context.with(trace.setSpan(context.active(), span), () => work());

  return {
    request(name, traceId, parent, attributes) {
      const options = { kind: SpanKind.SERVER, attributes };
      if (!parent) return ids.planned(traceId, () => tracer.startSpan(name, options, ROOT_CONTEXT));
      const remote = { traceId, spanId: parent.spanId, traceFlags: parent.flags, isRemote: true };
      return tracer.startSpan(name, options, trace.setSpanContext(ROOT_CONTEXT, remote));
    },
    inTrace(traceId, name, attributes, work) {
      const own = isTraceId(traceId) ? traceId : newTraceId();
      const options = { kind: SpanKind.CONSUMER, attributes };
      const span = ids.planned(own, () => tracer.startSpan(name, options, ROOT_CONTEXT));
      return ended(span, () => within(span, work));
    },
    below(name, attributes, work) {
      if (!trace.getActiveSpan()) return work();
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes });
      return ended(span, () => within(span, work));
    },
    within,
    async close() {
      context.disable();
      const ended = provider.shutdown().catch(() => {});
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, LAST_SEND_MS).unref())]);
    },
  };
}

/** Runs `work` and ends the span with it, whether it returns a promise or not. */
function ended<T>(span: Span, work: () => T): T {
  const fail = (error: unknown): never => {
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : "error" });
    span.end();
    throw error;
  };
  let result: T;
  try {
    result = work();
  } catch (error) {
    return fail(error);
  }
  if (!(result instanceof Promise)) {
    span.end();
    return result;
  }
  return result.then((value) => {
    span.end();
    return value;
  }, fail) as T;
}

interface IdGenerator {
  generateTraceId(): string;
  generateSpanId(): string;
}

/**
 * Gives a root span a trace id that is already known: a request's id exists before its span, and a job's id is from the request
 * that added it, whose span has ended. An invented parent would be missing in every view of the trace.
 */
class PlannedIds implements IdGenerator {
  readonly #random: IdGenerator;
  #next: string | undefined;

  constructor(random: IdGenerator) {
    this.#random = random;
  }

  /** `start` must start exactly one span, synchronously. */
  planned<T>(traceId: string, start: () => T): T {
    this.#next = traceId;
    try {
      return start();
    } finally {
      this.#next = undefined;
    }
  }

  generateTraceId(): string {
    return this.#next ?? this.#random.generateTraceId();
  }

  generateSpanId(): string {
    return this.#random.generateSpanId();
  }
}
