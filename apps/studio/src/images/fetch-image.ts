import http from "node:http";
import https from "node:https";
import { urlToHttpOptions } from "node:url";
import { answering, type Reach, reachableAddresses, withinLimit } from "@andon/app";
import { type Localized, shownAddress, withParticle } from "@andon/contract";
import { Unretryable } from "@andon/engine";
import { StudioError } from "../contract/errors.ts";
import { readAtMost } from "./check-image.ts";

const MOST_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export interface FetchLimits {
  readonly largest: number;
  readonly timeout: number;
  readonly reach: Reach;
}

/** An image URL that could not be fetched. */
class ImageUnreachable extends Unretryable {
  override readonly name = "ImageUnreachable";
  readonly code = "IMAGE_UNREACHABLE";
  readonly localized: { en: string; ko: string };

  constructor(url: string, problem: Localized, options?: { cause?: unknown }) {
    const shown = shownAddress(url);
    const en = `The image ${shown} could not be fetched: ${problem.en}`;
    super(en, options);
    const what = withParticle(shown, "을(를)");
    this.localized = { en, ko: `이미지 ${what} 가져올 수 없습니다: ${problem.ko}` };
  }
}

/** Why an image could not be fetched, in this app's own words. */
class FetchProblem extends Error {
  readonly problem: Localized;

  constructor(en: string, ko: string) {
    super(en);
    this.problem = { en, ko };
  }
}

function problemOf(error: unknown): Localized {
  if (error instanceof FetchProblem) return error.problem;
  if (error instanceof StudioError) return { en: error.in("en"), ko: error.in("ko") };
  const en = error instanceof Error ? error.message : String(error);
  const isRefused = (error as { code?: unknown } | null)?.code === "TARGET_REFUSED";
  return { en, ko: isRefused ? `공개된 주소가 아니어서 접속하지 않습니다(${en})` : en };
}

/** Fetches the bytes at a URL from a user. The target of every redirect is checked like the URL itself. */
export async function fetchImage(url: string, limits: FetchLimits, signal: AbortSignal): Promise<Buffer> {
  try {
    return await withinLimit(limits.timeout, signal, (limited) => follow(new URL(url), limits, limited));
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new ImageUnreachable(url, problemOf(error), { cause: error });
  }
}

async function follow(url: URL, limits: FetchLimits, signal: AbortSignal): Promise<Buffer> {
  let at = url;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const response = await get(at, limits.reach, signal);
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if (!REDIRECTS.has(status) || location === undefined) return await bytesOf(response, status, at, limits);
    response.destroy();
    at = new URL(location, at);
    if (at.protocol !== "http:" && at.protocol !== "https:")
      throw new FetchProblem(`redirected to ${at.protocol}`, `${at.protocol} 주소로 리디렉션되었습니다`);
  }
  throw new FetchProblem(
    `redirected more than ${MOST_REDIRECTS} times`,
    `리디렉션이 ${MOST_REDIRECTS}번을 넘습니다`,
  );
}

async function bytesOf(
  response: http.IncomingMessage,
  status: number,
  url: URL,
  { largest }: FetchLimits,
): Promise<Buffer> {
  try {
    if (status < 200 || status > 299)
      throw new FetchProblem(`the server answered ${status}`, `서버가 ${status}(으)로 응답했습니다`);
    return await readAtMost(response, largest, url.pathname);
  } finally {
    response.destroy();
  }
}

async function get(url: URL, reach: Reach, signal: AbortSignal): Promise<http.IncomingMessage> {
  const addresses = await reachableAddresses(url.hostname, reach);
  signal.throwIfAborted();
  const { request } = url.protocol === "https:" ? https : http;
  const options: http.RequestOptions = {
    ...urlToHttpOptions(url),
    method: "GET",
    // A new connection each time: a kept one may have been opened before the name resolved to a forbidden address.
    agent: false,
    lookup: answering(addresses),
    signal,
    headers: { accept: "image/*", "user-agent": "andon-studio" },
  };
  return new Promise((resolve, reject) => {
    request(options, resolve).on("error", reject).end();
  });
}
