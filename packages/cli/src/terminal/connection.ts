import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Client, type ClientOf, type ClientOptions, clientOf, createClient } from "@andon/client";
import type { Language, RouteTable } from "@andon/contract";
import type { Settings } from "@andon/server";
import { WORDS } from "../i18n/words.ts";
import { EXIT } from "./exit-codes.ts";
import { Failure } from "./failures.ts";
import type { Shell } from "./shell.ts";

const DEFAULT_URL = "http://127.0.0.1:8400";

export interface ConnectionOptions {
  readonly url?: string | undefined;
  readonly token?: string | undefined;
}

/** The server's address and key, from the options, else the environment, else the data folder. */
export class Connection {
  readonly url: string;
  readonly language: Language;
  readonly #shell: Shell;
  readonly #options: ConnectionOptions;
  readonly #token: string | undefined;

  constructor(options: ConnectionOptions, shell: Shell, language: Language) {
    this.url = checkedUrl(options.url ?? (shell.env.ANDON_URL || DEFAULT_URL));
    this.language = language;
    this.#options = options;
    this.#shell = shell;
    this.#token = options.token ?? (shell.env.ANDON_TOKEN || undefined);
  }

  /**
   * The connection to the server of these settings, unless the person named another address. A port of 0 means any free
   * port, so it gives no address.
   */
  async serverOf({ host, port }: Pick<Settings, "host" | "port">): Promise<Connection> {
    if (this.#options.url !== undefined || this.#shell.env.ANDON_URL || port === 0) return this;
    const { listeningUrl } = await import("@andon/server");
    return new Connection({ ...this.#options, url: listeningUrl(host, port) }, this.#shell, this.language);
  }

  /** Undefined if none of the three sources gives a key. */
  findToken(): string | undefined {
    return this.#token ?? (isThisMachine(this.url) ? this.#adminKey() : undefined);
  }

  token(): string {
    const token = this.findToken();
    if (token !== undefined) return token;
    throw new Failure(EXIT.notAllowed, WORDS.tokenMissing, { file: this.adminKeyFile, url: this.url });
  }

  client(options: { withoutKey?: boolean; fetch?: typeof fetch } = {}): Client {
    return createClient({
      ...this.#clientOptions(options.withoutKey ? this.findToken() : this.token()),
      fetch: options.fetch ?? this.fetch,
    });
  }

  clientOf<T extends RouteTable>(routes: T): ClientOf<T> {
    return clientOf(routes, this.#clientOptions(this.token()));
  }

  #clientOptions(token: string | undefined): ClientOptions {
    return { url: this.url, language: this.language, token, fetch: this.fetch };
  }

  /** A `fetch` that Ctrl-C aborts. */
  get fetch(): typeof fetch {
    const interruption = this.#shell.interruption();
    return (target, init) => fetch(target, { ...init, signal: interruption });
  }

  get adminKeyFile(): string {
    return join(resolve(this.#shell.folder, this.#shell.env.ANDON_DATA || "data"), "admin.key");
  }

  #adminKey(): string | undefined {
    try {
      return readFileSync(this.adminKeyFile, "utf8").trim() || undefined;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ENOTDIR") return undefined;
      throw new Failure(EXIT.notAllowed, WORDS.adminKeyUnreadable, {
        file: this.adminKeyFile,
        problem: code ?? "",
      });
    }
  }
}

/** The admin key of this machine's data folder is sent only to a server on this machine. */
function isThisMachine(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

function checkedUrl(given: string): string {
  const isWeb = URL.canParse(given) && /^https?:$/.test(new URL(given).protocol);
  if (!isWeb) throw new Failure(EXIT.usage, WORDS.urlWrong, { given });
  return given;
}
