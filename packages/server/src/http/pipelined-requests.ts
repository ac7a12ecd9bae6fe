import type { RequestListener } from "node:http";
import type { Socket } from "node:net";

/** Browsers and our own clients do not pipeline requests. */
const MOST_WAITING = 100;

/**
 * Serves the requests of a connection one after the other, with a turn of the event loop in between. Node starts all pipelined
 * requests at once: the 1,700 that fit into one read blocked all callers for 60 ms, and ten such connections took 200 MB. A
 * connection with too many waiting requests is cut.
 */
export function oneAtATime(serve: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    const start = () => {
      response.once("close", goOn);
      serve(request, response);
    };
    const goOn = () => {
      const next = socket.destroyed ? undefined : waiting.get(socket)?.shift();
      if (next) setImmediate(next);
      else waiting.delete(socket);
    };
    const others = waiting.get(socket);
    if (!others) {
      waiting.set(socket, []);
      start();
    } else if (others.length < MOST_WAITING) others.push(start);
    else socket.destroy();
  };
}
