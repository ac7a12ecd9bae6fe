import { MessageChannel } from "node:worker_threads";
import type { FastifyReply, FastifyRequest } from "fastify";

/** How long sending the answer may take before the connection is cut. */
const LONGEST_GOODBYE_MS = 1_000;

/**
 * Closes the connection after the answer and reads no more of the body. The connection is cut only some time after the
 * answer: closing it with unread bytes sends a reset, and the sender could lose the answer.
 */
export function closeWithoutReading({ raw }: FastifyRequest, reply: FastifyReply): void {
  const { socket } = raw;
  reply.header("connection", "close");
  // Node reads an unread body to its end after the answer, unless the body has a reader. Adding a reader resumes a socket that
  // was paused, one tick later: only a pause after that has an effect.
  const wasPaused = socket.readableFlowing === false;
  socket.on("resume", () => socket.pause());
  // Chunk by chunk: `read()` would copy the waiting chunks into one and leave them to the garbage collector.
  raw.on("data", release);
  if (!wasPaused) socket.pause();
  // Node calls this after the last answer of a connection.
  socket.destroySoon = () => {
    socket.end();
    const cut = setTimeout(() => socket.destroy(), LONGEST_GOODBYE_MS);
    socket.once("close", () => clearTimeout(cut));
  };
}

/** Reads and discards the rest of a body. */
export function readAndDrop({ raw }: FastifyRequest): void {
  raw.on("data", release);
}

/** A closed port: buffers transferred to it are freed at once. */
const nowhere = new MessageChannel().port1;
nowhere.close();

/** Frees the bytes of a chunk at once. 1,000 refused bodies left 62 MB to the garbage collector, which does not run before 64 MB. */
function release(chunk: Buffer): void {
  if (chunk.buffer.byteLength === chunk.length) nowhere.postMessage(null, [chunk.buffer as ArrayBuffer]);
}
