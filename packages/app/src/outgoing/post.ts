import { createHmac } from "node:crypto";
import http from "node:http";
import https from "node:https";
import { urlToHttpOptions } from "node:url";
import { type Address, answering, type Lookup, type Reach, reachableAddresses } from "./target-address.ts";
import { withinLimit } from "./time-limit.ts";

const POST_LIMIT_MS = 10_000;
/** How much of an answer's body is read, and for how long. */
const LARGEST_ANSWER = 64 * 1024;
const LONGEST_ANSWER_MS = 5_000;

interface Post {
  readonly url: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PostPorts {
  readonly reach: Reach;
  readonly signal: AbortSignal;
  readonly lookup?: Lookup;
}

/**
 * Posts JSON. Any 2xx is success; it throws on everything else, including a redirect. No error contains the address,
 * which may be secret.
 */
export async function postSafely(message: Post, { reach, signal, lookup }: PostPorts): Promise<void> {
  const status = await withinLimit(POST_LIMIT_MS, signal, async (limited) => {
    const url = new URL(message.url);
    const addresses = await reachableAddresses(url.hostname, reach, lookup);
    limited.throwIfAborted();
    return send(url, message, addresses, limited);
  });
  if (status < 200 || status > 299) throw new Error(`the receiver answered ${status}`);
}

function send(
  url: URL,
  { body, headers }: Post,
  addresses: readonly Address[],
  signal: AbortSignal,
): Promise<number> {
  const { request } = url.protocol === "https:" ? https : http;
  const options: http.RequestOptions = {
    ...urlToHttpOptions(url),
    method: "POST",
    // A connection of its own: a reused one may be connected to other addresses than those that were checked.
    agent: false,
    lookup: answering(addresses),
    signal,
    headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body), ...headers },
  };
  return new Promise((resolve, reject) => {
    const sending = request(options, (response) => {
      // The status is enough: a receiver that sends the rest slowly has the message all the same.
      resolve(response.statusCode ?? 0);
      takeIn(response);
    });
    sending.on("error", reject);
    sending.end(body);
  });
}

/** Reads and discards the body up to the limits, so that the receiver can finish its answer. It is not awaited. */
function takeIn(response: http.IncomingMessage): void {
  let read = 0;
  const late = setTimeout(() => response.destroy(), LONGEST_ANSWER_MS);
  response.on("data", (chunk: Buffer) => {
    read += chunk.length;
    if (read > LARGEST_ANSWER) response.destroy();
  });
  response.on("error", () => {});
  response.on("close", () => clearTimeout(late));
}

/**
 * Headers that sign a body. The second contains the time, so that a recorded message cannot be sent again much later.
 */
export function signatures(body: string, secret: string, time: number): Record<string, string> {
  const hmac = (text: string) => createHmac("sha256", secret).update(text).digest("hex");
  return {
    "x-andon-signature": `sha256=${hmac(body)}`,
    "x-andon-signature-v2": `t=${time},v1=${hmac(`${time}.${body}`)}`,
  };
}
