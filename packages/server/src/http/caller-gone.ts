import type { FastifyReply } from "fastify";

/** Aborts when the caller has gone before the answer was sent. (`request.signal` also aborts when a body was read to its end.) */
export function callerGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once("close", () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
}
