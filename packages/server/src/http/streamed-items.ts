import type { Readable } from "node:stream";
import { TextDecoder } from "node:util";
import { AndonError, type Language, type Route } from "@andon/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { checkPart, type FieldProblem, validationFailed } from "./checked-request.ts";
import { closeWithoutReading } from "./close-unread.ts";
import { onIdleBody } from "./idle-bodies.ts";
import { costOfJson } from "./json-cost.ts";

/** One JSON value per line. No media type is registered; these names are in use. */
const NDJSON = ["application/x-ndjson", "application/ndjson", "application/jsonl"];
/** In characters. A whole line is held in memory. */
const LONGEST_LINE = 64 * 1024;

export function isNdjson({ headers }: Pick<FastifyRequest, "headers">): boolean {
  return NDJSON.includes((headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "");
}

/** Passes NDJSON as a stream to routes that read items. It is not held in memory, so its length has no limit. */
export function acceptNdjson(app: FastifyInstance): void {
  app.addContentTypeParser(NDJSON, (request, payload, done) => {
    if (request.routeOptions.config.route?.takes === "items") done(null, payload);
    else done(new AndonError("MEDIA_TYPE", { allowed: "application/json" }), undefined);
  });
}

/**
 * The items of a request's body, each checked as it arrives. The items of a JSON list are already checked. If the body breaks off, is
 * invalid or stops arriving, this throws, and the rest is not read.
 */
export async function* itemsOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { item }: Pick<Route, "item">,
  language: Language,
): AsyncGenerator<unknown, undefined> {
  if (!isNdjson(request)) {
    yield* (request.body ?? []) as unknown[];
    return undefined;
  }
  const lines = new Lines();
  const itemOf = (text: string) => {
    const value = parsed(text, lines.count);
    return item ? inLine(lines.count, () => checkPart(item, value, "body", language)) : value;
  };
  for await (const bytes of bytesOf(request, reply))
    for (const text of lines.completedBy(bytes)) if (text.trim() !== "") yield itemOf(text);
  const last = lines.last();
  if (last !== undefined && last.trim() !== "") yield itemOf(last);
  return undefined;
}

/** The body as it arrives. The connection stays open for the answer, even if the consumer stops before the end. */
async function* bytesOf(request: FastifyRequest, reply: FastifyReply): AsyncGenerator<Buffer> {
  const stream = request.body as Readable;
  const bytes = stream.iterator({ destroyOnReturn: false });
  let refusal: AndonError | undefined;
  let stopWaiting = (_error: AndonError) => {};
  onIdleBody(request.raw, (error) => {
    refusal = error;
    stopWaiting(error);
  });
  try {
    for (;;) {
      if (refusal) throw refusal;
      // Not `Promise.race` with one promise for the whole body: that promise would keep a reference to every chunk.
      const step = await new Promise<IteratorResult<Buffer>>((resolve, reject) => {
        stopWaiting = reject;
        bytes.next().then(resolve, reject);
      });
      if (step.done) return;
      yield step.value;
    }
  } finally {
    if (!stream.readableEnded) closeWithoutReading(request, reply);
  }
}

/**
 * The lines of a body, one at a time and synchronously: all lines of a chunk as strings took several times its bytes, and a promise
 * per line as much again.
 */
class Lines {
  /** The number of lines so far, including the last one returned. */
  count = 0;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  #rest = "";

  *completedBy(bytes: Buffer): Generator<string> {
    const text = this.#rest + decoded(this.#decoder, bytes, this.count);
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      this.count++;
      yield text.slice(start, end);
      start = end + 1;
    }
    this.#rest = text.slice(start);
    if (this.#rest.length > LONGEST_LINE)
      throw wrong(this.count + 1, {
        en: `it has more than ${LONGEST_LINE} characters`,
        ko: `${LONGEST_LINE}자를 넘습니다`,
      });
  }

  /** The text after the last line break. */
  last(): string | undefined {
    if (this.#rest === "") return undefined;
    this.count++;
    return this.#rest;
  }
}

function decoded(decoder: TextDecoder, bytes: Buffer, line: number): string {
  try {
    return decoder.decode(bytes, { stream: true });
  } catch {
    throw wrong(line + 1, { en: "it is no valid UTF-8", ko: "올바른 UTF-8이 아닙니다" });
  }
}

function parsed(text: string, line: number): unknown {
  const tooMuch = costOfJson(text);
  if (tooMuch) throw wrong(line, tooMuch);
  try {
    return JSON.parse(text);
  } catch {
    throw wrong(line, { en: "it is no valid JSON", ko: "올바른 JSON이 아닙니다" });
  }
}

/** Adds the line to the names of an item's invalid fields. */
function inLine<T>(line: number, check: () => T): T {
  try {
    return check();
  } catch (error) {
    const { fields } = (error as AndonError).details as { fields?: readonly FieldProblem[] };
    if (!fields) throw error;
    throw validationFailed(fields.map((each) => ({ ...each, field: fieldIn(line, each.field) })));
  }
}

const fieldIn = (line: number, field: string) => (field ? `line ${line}.${field}` : `line ${line}`);

function wrong(line: number, message: FieldProblem["message"]): AndonError {
  return validationFailed([{ in: "body", field: fieldIn(line, ""), message }]);
}
