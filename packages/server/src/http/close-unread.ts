import { MessageChannel } from "node:worker_threads";
import type { FastifyReply, FastifyRequest } from "fastify";

/** How long the answer may take to go out before the connection is cut. */
const LONGEST_GOODBYE_MS = 1_000;

/**
 * Closes the connection after the answer and reads nothing more of the body. The connection is cut a moment after the
 * answer: one that is closed with unread bytes is reset, and its sender could lose the answer.
 */
export function closeWithoutReading({ raw }: FastifyRequest, reply: FastifyReply): void {
  const { socket } = raw;
  reply.header("connection", "close");
  // A request whose body was never asked for is read to its end by Node once it is answered. Asking for it resumes a socket that
  // stood still for want of a reader, a tick later: only then does a pause hold.
  const wasPaused = socket.readableFlowing === false;
  socket.on("resume", () => socket.pause());
  // Chunk by chunk: `read()` would copy those that wait into one, and leave them to the garbage collector.
  raw.on("data", release);
  if (!wasPaused) socket.pause();
  // What Node calls at the end of the last answer of a connection.
  socket.destroySoon = () => {
    socket.end();
    const cut = setTimeout(() => socket.destroy(), LONGEST_GOODBYE_MS);
    socket.once("close", () => clearTimeout(cut));
  };
}

/** Reads the rest of a body that nobody wants. */
export function readAndDrop({ raw }: FastifyRequest): void {
  raw.on("data", release);
}

/** It is closed, so that what is handed over to it is freed at once. */
const nowhere = new MessageChannel().port1;
nowhere.close();

/** Frees the bytes of a chunk now: 1,000 refused bodies left 62 MB to the garbage collector, which sees no haste before 64 MB. */
function release(chunk: Buffer): void {
  if (chunk.buffer.byteLength === chunk.length) nowhere.postMessage(null, [chunk.buffer as ArrayBuffer]);
}
