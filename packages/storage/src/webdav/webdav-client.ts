import { readFileSync } from "node:fs";
import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import { rootCertificates } from "node:tls";
import { AndonError, type Localized } from "@andon/contract";
import { StorageError } from "../storage-error.ts";
import { authorization, type Challenge, challengeOf } from "./webdav-login.ts";
import type { WebdavAddress } from "./webdav-url.ts";

export interface WebdavLimits {
  /** How long a server may be silent while a request waits for it, in ms. */
  readonly silenceMs: number;
}

export const LIMITS: WebdavLimits = { silenceMs: 60_000 };

/** The most kept connections to one server; further short requests wait. */
const MOST_CONNECTIONS = 16;
const MOST_REDIRECTS = 3;
const MOST_ATTEMPTS = 3;
/**
 * Methods that may be repeated if the connection was closed before the request arrived: a repetition has the same
 * result.
 */
const REPEATABLE = new Set(["GET", "PROPFIND", "MKCOL", "DELETE"]);
/** The errors of a request on a connection that the server has just closed. */
const CLOSED = new Set(["ECONNRESET", "EPIPE"]);
const LONGEST_ERROR = 64 * 1024;

export interface WebdavRequest {
  readonly method: "GET" | "PUT" | "PROPFIND" | "MKCOL" | "MOVE" | "DELETE";
  /** The names of the path, from the root of the server. */
  readonly names: readonly string[];
  /** Whether the path is a folder: some servers accept a folder only with a slash at its end. */
  readonly isFolder?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | AsyncIterable<Buffer>;
  readonly signal?: AbortSignal | undefined;
}

/** A server answered with a status that is not a success. */
class WebdavStatus extends Error {
  override readonly name = "WebdavStatus";
  readonly httpStatus: number;

  constructor(status: number, message: string) {
    super(message);
    this.httpStatus = status;
  }
}

export function statusOf(error: unknown): number | undefined {
  return error instanceof WebdavStatus ? error.httpStatus : undefined;
}

/**
 * Requests to one server, with the login that the server asks for. Node's own `fetch` accepts no custom certificate
 * authority, and follows redirects before their target can be checked.
 */
export class WebdavClient {
  readonly #address: WebdavAddress;
  readonly #limits: WebdavLimits;
  readonly #kept: http.Agent;
  /** For reading files: a slow reader must not block the other requests. */
  readonly #reading: http.Agent;
  /** For requests that cannot be repeated if a kept connection turns out to be closed. */
  readonly #fresh: http.Agent;
  #challenge: Challenge | undefined;

  constructor(address: WebdavAddress, limits: WebdavLimits) {
    this.#address = address;
    this.#limits = limits;
    const { Agent } = address.isSecure ? https : http;
    // Custom certificates replace Node's own, so those are passed too.
    const trust = address.ca === undefined ? {} : { ca: [...rootCertificates, certificatesIn(address.ca)] };
    this.#kept = new Agent({ keepAlive: true, maxSockets: MOST_CONNECTIONS, ...trust });
    this.#reading = new Agent({ keepAlive: true, ...trust });
    // With a limit of sockets, Node would reuse a connection for a waiting request.
    this.#fresh = new Agent({ keepAlive: false, ...trust });
  }

  /** Sends a request. The caller must read the answer to its end; an unsuccessful status is thrown. */
  async send(request: WebdavRequest): Promise<IncomingMessage> {
    let path = pathOf(request.names, request.isFolder);
    for (let redirects = 0; ; redirects++) {
      const answer = await this.#loggedIn(request, path);
      const status = answer.statusCode ?? 0;
      if (status >= 200 && status < 300) return answer;
      if (status < 300 || status >= 400) throw await failureOf(answer);
      answer.resume();
      const next = this.#redirected(answer.headers.location, path);
      const isRead = request.method === "GET" || request.method === "PROPFIND";
      if (next === undefined || !isRead || redirects === MOST_REDIRECTS) {
        throw this.#leadsAway(status, answer.headers.location);
      }
      path = next;
    }
  }

  /** Sends a request whose answer contains only its status. */
  async do(request: WebdavRequest): Promise<number> {
    const answer = await this.send(request);
    const status = answer.statusCode ?? 0;
    // A part of the request may have failed, so it was not carried out completely.
    if (status === 207) throw new WebdavStatus(statusInside(await textOf(answer)), "a request part failed");
    answer.resume();
    return status;
  }

  urlOf(names: readonly string[], isFolder = false): string {
    return `${this.#origin}${pathOf(names, isFolder)}`;
  }

  close(): void {
    this.#kept.destroy();
    this.#reading.destroy();
    this.#fresh.destroy();
  }

  get #origin(): string {
    const { isSecure, host, port } = this.#address;
    const usual = port === (isSecure ? 443 : 80);
    return `${isSecure ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}${usual ? "" : `:${port}`}`;
  }

  async #loggedIn(request: WebdavRequest, path: string): Promise<IncomingMessage> {
    const used = this.#challenge;
    const answer = await this.#repeated(request, path);
    if (answer.statusCode !== 401 || this.#address.user === "") return answer;
    const given = answer.headersDistinct["www-authenticate"] ?? [];
    const challenge = challengeOf(given);
    // A server that rejects an expired nonce sends a new one; the same nonce again means that it refuses the login.
    const isNew = challenge?.scheme !== used?.scheme || challenge?.parts.nonce !== used?.parts.nonce;
    if (!challenge || !isNew) return answer;
    this.#challenge = challenge;
    // A stream cannot be sent twice. A put sends a short request first, which has performed the login.
    if (request.body !== undefined && typeof request.body !== "string") return answer;
    answer.resume();
    return await this.#repeated(request, path);
  }

  /**
   * A kept connection can be closed just as a request is sent; Node does not always report that the connection was a
   * kept one.
   */
  async #repeated(request: WebdavRequest, path: string): Promise<IncomingMessage> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#answer(this.#request(request, path), request);
      } catch (error) {
        const isClosed = CLOSED.has((error as NodeJS.ErrnoException).code ?? "");
        if (!isClosed || !REPEATABLE.has(request.method) || attempt === MOST_ATTEMPTS) throw error;
      }
    }
  }

  #request({ method, headers, body, signal }: WebdavRequest, path: string): ClientRequest {
    const { isSecure, host, port } = this.#address;
    const login = this.#challenge && {
      authorization: authorization(this.#challenge, this.#address, { method, path }),
    };
    return (isSecure ? https : http).request({
      host,
      port,
      method,
      path,
      agent: this.#agentOf(method),
      timeout: this.#limits.silenceMs,
      headers: {
        "accept-encoding": "identity",
        "user-agent": "andon",
        ...(typeof body === "string" ? { "content-length": Buffer.byteLength(body) } : {}),
        ...headers,
        ...login,
      },
      ...(signal ? { signal } : {}),
    });
  }

  #agentOf(method: WebdavRequest["method"]): http.Agent {
    if (method === "GET") return this.#reading;
    return REPEATABLE.has(method) ? this.#kept : this.#fresh;
  }

  #answer(sent: ClientRequest, { body }: WebdavRequest): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      sent.once("response", (answer) => {
        this.#watch(sent, answer);
        resolve(answer);
      });
      sent.on("error", reject);
      const isStream = body !== undefined && typeof body !== "string";
      sent.on("timeout", () => {
        // While our own source is slow, the silence is not that of the server.
        const isOurs = isStream && !sent.writableEnded && !sent.writableNeedDrain;
        if (!isOurs) sent.destroy(this.#silent());
      });
      if (body === undefined || typeof body === "string") sent.end(body);
      else {
        pump(body, sent).catch((error) => {
          sent.destroy();
          reject(error);
        });
      }
    });
  }

  /**
   * While an answer arrives, silence counts only if the answer is being read: a slow reader is not a fault of the
   * server.
   */
  #watch(sent: ClientRequest, answer: IncomingMessage): void {
    sent.removeAllListeners("timeout");
    sent.on("timeout", () => {
      if (answer.readableFlowing !== false || answer.readableLength === 0) answer.destroy(this.#silent());
    });
  }

  #silent(): Error {
    const seconds = this.#limits.silenceMs / 1000;
    return Object.assign(new Error(`no answer for ${seconds} s`), { code: "ETIMEDOUT" });
  }

  /** Undefined if a redirect leads to another server, which must not get the login. */
  #redirected(location: string | undefined, path: string): string | undefined {
    const base = `${this.#origin}${path}`;
    if (location === undefined || !URL.canParse(location, base)) return undefined;
    const next = new URL(location, base);
    return next.origin === new URL(base).origin ? next.pathname + next.search : undefined;
  }

  #leadsAway(status: number, location: string | undefined): StorageError {
    const where =
      location !== undefined && URL.canParse(location, this.#origin)
        ? new URL(location, this.#origin)
        : undefined;
    const target = where ? `${where.origin}${where.pathname}` : "";
    const reason: Localized = {
      en: `it redirects (${status}) to ${target}, which is not followed. Set that address, if it is the right one`,
      ko: `${target}(으)로 리디렉션하지만(${status}) 따라가지 않습니다. 올바른 주소라면 설정을 바꾸세요`,
    };
    return new StorageError("NOT_MOUNTED", { place: this.#address.place, reason });
  }
}

/** A pipeline would pass errors of the connection to the source, where they would look like the source's own. */
async function pump(body: AsyncIterable<Buffer>, sent: ClientRequest): Promise<void> {
  for await (const piece of body) {
    if (sent.destroyed) return;
    if (!sent.write(piece)) await drained(sent);
  }
  sent.end();
}

function drained(sent: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const goOn = () => {
      sent.off("drain", goOn).off("close", goOn);
      resolve();
    };
    sent.on("drain", goOn).on("close", goOn);
  });
}

function certificatesIn(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new AndonError("STORAGE_URL", {
      given: `ca=${file}`,
      hint: `ca names a file with certificates that can be read (${(error as Error).message}).`,
    });
  }
}

function pathOf(names: readonly string[], isFolder = false): string {
  const path = `/${names.map(encodeURIComponent).join("/")}`;
  return isFolder && names.length > 0 ? `${path}/` : path;
}

export async function textOf(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of answer) {
    size += piece.byteLength;
    if (size > LONGEST_ERROR) break;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

async function failureOf(answer: IncomingMessage): Promise<WebdavStatus> {
  answer.on("error", () => {});
  answer.resume();
  return new WebdavStatus(
    answer.statusCode ?? 0,
    `HTTP ${answer.statusCode} ${answer.statusMessage ?? ""}`.trim(),
  );
}

function statusInside(text: string): number {
  return Number(/HTTP\/[\d.]+ ([45]\d\d)/.exec(text)?.[1] ?? 500);
}
