import type { Server } from "node:http";
import { AndonError } from "@andon/contract";
import ipaddr from "ipaddr.js";
import type { Settings } from "../config/settings.ts";
import { refuseOnSocket } from "./broken-request.ts";

/** Refuses connections from an address with too many open. A trusted proxy has no limit, because it connects for many people. */
export function limitConnections(
  server: Server,
  { http: { connectionsPerAddress: most }, trustProxy }: Pick<Settings, "http" | "trustProxy">,
): void {
  if (most === 0 || trustProxy === true) return;
  const open = new Map<string, number>();
  server.on("connection", (socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || (trustProxy && isAmong(address, trustProxy))) return;
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once("close", () => {
      const left = (open.get(address) ?? 0) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
    if (count > most) {
      socket.on("error", () => {});
      refuseOnSocket(socket, new AndonError("TOO_MANY_CONNECTIONS", { most }));
    }
  });
}

function isAmong(given: string, networks: readonly string[]): boolean {
  const address = ipaddr.process(given);
  return networks.some((network) => {
    const [base, bits] = network.includes("/")
      ? ipaddr.parseCIDR(network)
      : ([ipaddr.process(network), undefined] as const);
    if (base.kind() !== address.kind()) return false;
    return bits === undefined ? base.toString() === address.toString() : address.match(base, bits);
  });
}
