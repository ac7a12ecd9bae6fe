import net from "node:net";
import tls from "node:tls";
import type { PostPorts } from "./post.ts";
import { answering, reachableAddresses } from "./target-address.ts";
import { withinLimit } from "./time-limit.ts";

const CONNECT_LIMIT_MS = 3_000;

/**
 * Checks that a receiver can be reached: opens a connection, with TLS for `https:`, and sends nothing. Throws if it
 * cannot be reached. No error contains the address, which may be secret.
 */
export async function checkReachable(address: string, { reach, signal, lookup }: PostPorts): Promise<void> {
  await withinLimit(CONNECT_LIMIT_MS, signal, async (limited) => {
    const url = new URL(address);
    const isSafe = url.protocol === "https:";
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const addresses = await reachableAddresses(url.hostname, reach, lookup);
    limited.throwIfAborted();
    const target = {
      host,
      port: Number(url.port || (isSafe ? 443 : 80)),
      lookup: answering(addresses),
    };
    const socket = isSafe
      ? tls.connect({ ...target, ...(net.isIP(host) === 0 ? { servername: host } : {}) })
      : net.connect(target);
    await opened(socket, isSafe ? "secureConnect" : "connect", limited).finally(() => socket.destroy());
  });
}

function opened(socket: net.Socket, event: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const refused = (error: NodeJS.ErrnoException) =>
      reject(new Error(`the receiver cannot be reached (${error.code ?? error.message})`));
    socket.once(event, () => resolve());
    socket.once("error", refused);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
