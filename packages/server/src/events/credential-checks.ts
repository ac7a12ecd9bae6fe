import type { Access } from "../access/access.ts";

interface Credentials {
  readonly authorization?: string | undefined;
  readonly session?: string | undefined;
}

interface Check {
  /** The current or last check. False: neither key nor session is valid. */
  result: Promise<boolean>;
  askedAt: number;
  revision: number;
  /** The number of streams that use it. */
  streams: number;
}

/** How long the result of a check is used. A key or session that this process ends is noticed at once. */
const HOLDS_MS = 1_000;

/** Checks whether the credentials of open streams are still valid, at most once a second for all streams of one key or session. */
export class CredentialChecks {
  readonly #access: Pick<Access, "authenticate" | "revision">;
  readonly #now: () => number;
  readonly #checks = new Map<string, Check>();

  /** `now` must be monotonic. */
  constructor(access: Pick<Access, "authenticate" | "revision">, now: () => number) {
    this.#access = access;
    this.#now = now;
  }

  /** Starts to watch credentials that have just been checked. */
  watch(credentials: Credentials): { isValid(): Promise<boolean>; end(): void } {
    const name = JSON.stringify([credentials.authorization, credentials.session]);
    const known = this.#checks.get(name);
    const check: Check = known ?? {
      result: Promise.resolve(true),
      askedAt: this.#now(),
      revision: this.#access.revision(),
      streams: 0,
    };
    this.#checks.set(name, check);
    check.streams++;
    return {
      isValid: () => this.#ask(check, credentials),
      end: () => {
        if (--check.streams === 0) this.#checks.delete(name);
      },
    };
  }

  #ask(check: Check, credentials: Credentials): Promise<boolean> {
    const [now, revision] = [this.#now(), this.#access.revision()];
    if (now - check.askedAt < HOLDS_MS && revision === check.revision) return check.result;
    Object.assign(check, { askedAt: now, revision });
    check.result = this.#access.authenticate(credentials).then((found) => found !== undefined);
    return check.result;
  }
}
