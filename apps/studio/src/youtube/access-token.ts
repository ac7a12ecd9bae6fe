import type { StudioSettings } from "../contract/settings.ts";
import { YoutubeRefused } from "./youtube-error.ts";

type ChannelSettings = StudioSettings["youtube"];

/** An access token is not used during its last minute. */
const SAFETY_MS = 60_000;

/** Access tokens of a channel, requested with its refresh token when needed. */
export class AccessTokens {
  readonly #settings: ChannelSettings;
  readonly #now: () => number;
  #token: { readonly value: string; readonly until: number } | undefined;

  constructor(settings: ChannelSettings, now: () => number) {
    this.#settings = settings;
    this.#now = now;
  }

  async get(signal: AbortSignal): Promise<string> {
    if (this.#token && this.#token.until > this.#now()) return this.#token.value;
    const { tokenUrl, clientId = "", clientSecret = "", refreshToken = "" } = this.#settings;
    const response = await fetch(tokenUrl, {
      method: "POST",
      redirect: "error",
      body: new URLSearchParams({
        grant_type: "refresh_token",
        client_id: clientId,
        client_secret: clientSecret,
        refresh_token: refreshToken,
      }),
      signal,
    });
    const text = await response.text();
    if (response.status >= 500) throw new Error(`the token server answered ${response.status}`);
    const answer = parsed(text);
    if (!response.ok || typeof answer.access_token !== "string")
      throw new YoutubeRefused(`no access token (${response.status} ${String(answer.error ?? "")})`);
    const seconds = typeof answer.expires_in === "number" ? answer.expires_in : 0;
    this.#token = { value: answer.access_token, until: this.#now() + seconds * 1_000 - SAFETY_MS };
    return answer.access_token;
  }

  /** Called after the server has refused this token. */
  forget(): void {
    this.#token = undefined;
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}
