import type { FastifyReply } from "fastify";

/** Aborts if the caller disconnects before the answer is sent. (`request.signal` also aborts when a body has been read to its end.) */
export function callerGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once("close", () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
}
