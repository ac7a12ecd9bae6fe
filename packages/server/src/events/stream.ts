import type { FeedEvent, Language, ROUTES } from "@andon/contract";
import type { FastifyReply } from "fastify";
import { sessionIn } from "../access/session-guard.ts";
import { type HttpServe, sent } from "../http/mount.ts";
import { scopeOf } from "../operator/scope.ts";
import { wireEvent } from "../operator/wire.ts";
import type { Site } from "../site.ts";
import { CredentialChecks } from "./credential-checks.ts";
import { SharedFeed } from "./shared-feed.ts";
import { StreamCount } from "./stream-count.ts";

/** The heartbeat: it keeps proxies from closing an idle connection, and its absence shows the reader that the server is gone. */
const BEAT_MS = 15_000;
/** A reader that takes nothing for this long is disconnected. It reconnects with its last id and misses nothing. */
const SLOWEST_READ_MS = 30_000;
const COME_BACK_AFTER_MS = 2_000;

type Serve = HttpServe<(typeof ROUTES)["system"]["events"]>;

/** The feed as server-sent events, from now on or after the reader's last id. */
export function serveEvents(site: Site): { serve: Serve; closeAll(): void } {
  const open = new Set<AbortController>();
  const feed = new SharedFeed(site.andon.store);
  const { clock } = site.andon.store;
  const checks = new CredentialChecks(site.access, () => clock.monotonic());
  const streams = new StreamCount(site.settings.http.streamsPerKey);

  const serve: Serve = async ({ query, principal, request, reply, language }) => {
    // Read before the reader learns that it is connected, so that no event after that moment is missed.
    const last = await site.andon.store.read.lastEventId();
    const asked = lastEventId(request.headers["last-event-id"]) ?? query.lastEventId ?? last;
    // After a restore from a backup, the store's ids may be lower than the id that a reader remembers.
    const after = Math.min(asked, last);
    if (request.method === "HEAD") {
      begin(reply, after);
      reply.raw.end();
      return sent;
    }
    const leave = streams.enter(principal);
    const stream = new AbortController();
    open.add(stream);
    const end = () => stream.abort();
    reply.raw.once("close", end);
    begin(reply, after);

    const { authorization } = request.headers;
    const credentials = checks.watch({ authorization, session: sessionIn(request) });
    /** After a key is revoked or a session ends, nothing more is sent. */
    const endUnlessAllowed = async () => {
      if (!(await credentials.isValid())) end();
    };
    const beat = async () => {
      await endUnlessAllowed();
      if (!stream.signal.aborted) reply.raw.write(": beat\n\n");
    };
    const beating = setInterval(() => void beat().catch(end), BEAT_MS);
    try {
      const filter = {
        ...(query.queue === undefined ? {} : { queue: query.queue }),
        ...scopeOf(principal),
      };
      for await (const events of feed.follow(filter, after, stream.signal)) {
        await endUnlessAllowed();
        if (stream.signal.aborted) break;
        if (!reply.raw.write(messagesOf(events, language))) await drained(reply, stream.signal);
        if (stream.signal.aborted) break;
      }
    } catch (error) {
      request.log.warn({ err: error }, "the event stream ended");
    } finally {
      clearInterval(beating);
      credentials.end();
      open.delete(stream);
      leave();
      reply.raw.end();
    }
    return sent;
  };

  return {
    serve,
    closeAll: () => {
      for (const stream of open) stream.abort();
    },
  };
}

/** Takes over the connection, and sends the headers that the host has set so far. */
function begin(reply: FastifyReply, after: number): void {
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  reply.raw.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  // An id from the start: a reader that is cut off before the first event can continue from it.
  reply.raw.write(`id: ${after}\nretry: ${COME_BACK_AFTER_MS}\n\n`);
}

function lastEventId(header: string | string[] | undefined): number | undefined {
  const id = header ? Number(header) : Number.NaN;
  return Number.isSafeInteger(id) && id >= 0 ? id : undefined;
}

/** Readers of one queue and language receive the same list of events, which is serialized once for all of them. */
const messages = {
  en: new WeakMap<readonly FeedEvent[], Buffer>(),
  ko: new WeakMap<readonly FeedEvent[], Buffer>(),
};

function messagesOf(events: readonly FeedEvent[], language: Language): Buffer {
  const known = messages[language].get(events);
  if (known) return known;
  const made = Buffer.from(events.map((event) => textOf(event, language)).join(""));
  messages[language].set(events, made);
  return made;
}

function textOf(event: FeedEvent, language: Language): string {
  const { id, type, at, queue, jobId, data } = wireEvent(event, language);
  const body = { ...data, type, at, ...(queue ? { queue } : {}), ...(jobId ? { jobId } : {}) };
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(body)}\n\n`;
}

function drained(reply: FastifyReply, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const tooSlow = setTimeout(() => reject(new Error("the reader is too slow")), SLOWEST_READ_MS);
    const done = () => {
      clearTimeout(tooSlow);
      signal.removeEventListener("abort", done);
      reply.raw.off("drain", done);
      resolve();
    };
    reply.raw.once("drain", done);
    signal.addEventListener("abort", done);
  });
}
