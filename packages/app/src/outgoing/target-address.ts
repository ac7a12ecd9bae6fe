import { lookup as systemLookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Finds all addresses of a name. */
export type Lookup = (hostname: string) => Promise<readonly { address: string; family: number }[]>;

/** Which addresses beside public ones may be reached. Link-local and metadata addresses never are. */
export interface Reach {
  readonly private: boolean;
  readonly loopback: boolean;
}

class TargetRefused extends Error {
  override readonly name = "TargetRefused";
  readonly code = "TARGET_REFUSED";
}

/**
 * The metadata services of clouds, which give out a machine's credentials. Those in link-local ranges are refused with
 * these ranges.
 */
const METADATA_ADDRESSES = new Set(["fd00:ec2::254", "100.100.100.200", "168.63.129.16", "192.0.0.192"]);
/** The IPv6 range of public addresses. */
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");
/**
 * The index of the first of the four bytes of an IPv4 address that is embedded in an IPv6 address, by the kind of
 * address.
 */
const EMBEDDED_AT: Readonly<Record<string, number>> = { ipv4Mapped: 12, rfc6145: 12, rfc6052: 12, "6to4": 2 };

/** Why an address may not be reached; undefined if it may. */
export function refusalOf(address: string, reach: Reach): string | undefined {
  if (isIP(address) === 0) return "not an address";
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  const embedded = embeddedIn(parsed);
  if (isNeverReached(parsed) || (embedded && isNeverReached(embedded))) return "link-local or metadata";
  if (isPublic(parsed) || reach.private) return undefined;
  if (range === "loopback" && reach.loopback) return undefined;
  return range === "unicast" ? "not public" : range;
}

function isNeverReached(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address.range() === "linkLocal" || METADATA_ADDRESSES.has(withoutZone(address));
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== "unicast") return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST as [ipaddr.IPv6, number]);
}

function embeddedIn(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const at = address instanceof ipaddr.IPv6 ? EMBEDDED_AT[address.range()] : undefined;
  return at === undefined ? undefined : new ipaddr.IPv4(address.toByteArray().slice(at, at + 4));
}

function withoutZone(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  return address.toString().replace(/%.*$/, "");
}

const lookupAll: Lookup = (hostname) => systemLookup(hostname, { all: true, verbatim: true });

/**
 * The addresses of a host; throws if one of them may not be reached. The caller connects to these without another
 * lookup, which could return other addresses (DNS rebinding).
 */
export async function reachableAddresses(
  host: string,
  reach: Reach,
  lookup: Lookup = lookupAll,
): Promise<readonly Address[]> {
  const bare = host.replace(/^\[(.*)\]$/, "$1");
  const family = isIP(bare);
  const found = family === 0 ? await lookup(bare) : [{ address: bare, family }];
  if (found.length === 0) throw new TargetRefused(`${bare} has no address`);
  for (const { address } of found) {
    const refusal = refusalOf(address, reach);
    if (refusal)
      throw new TargetRefused(`${bare} is at ${address}, which messages may not be sent to (${refusal})`);
  }
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

/** A lookup function for sockets: returns the addresses that were checked, whatever the name is. */
export function answering(addresses: readonly Address[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? "", first?.family);
  };
}
