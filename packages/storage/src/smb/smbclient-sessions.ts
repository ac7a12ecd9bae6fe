import { existsSync, mkdtempSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { faultCodeOf } from "../driver-error-codes.ts";
import { FAULTS } from "../faults.ts";
import { failureIn, hasStatus } from "./smb-error.ts";
import { type Login, loginOf } from "./smb-login.ts";
import type { SmbAddress } from "./smb-url.ts";
import { SmbclientSession } from "./smbclient-session.ts";
import { retryWhileInUse } from "./while-in-use.ts";

/** The most commands that run at the same time; further commands wait. */
const MOST_AT_WORK = 8;
/** How long an unused session is kept, in ms. */
const KEPT_MS = 30_000;
/** A session that was unused for longer than this, in ms, is checked before it is used. */
const FRESH_MS = 100;

interface Idle {
  readonly session: SmbclientSession;
  readonly since: number;
  readonly timer: NodeJS.Timeout;
}

/** The sessions of a share, and the local folder that they read from. A session that failed is not used again. */
export class SmbclientSessions {
  readonly #address: SmbAddress;
  readonly #all = new Set<SmbclientSession>();
  #idle: Idle[] = [];
  #atWork = 0;
  #waiting: (() => void)[] = [];
  #folder: string | undefined;
  #files = 0;

  constructor(address: SmbAddress) {
    this.#address = address;
  }

  /** Runs a command and returns the lines it prints. A line that is not an expected answer is an error. */
  async run(command: string, isAnswer: (line: string) => boolean, signal?: AbortSignal): Promise<string[]> {
    const work = (session: SmbclientSession) => answerOf(session, command, isAnswer);
    const isRepeatable = !command.startsWith("rename ");
    return await retryWhileInUse(() => this.use(work, signal, isRepeatable));
  }

  /**
   * An abort ends the session that is in use. If the server drops the connection, the work is repeated over a new one,
   * except for a rename: it may have happened, and the second one would report a missing source.
   */
  async use<T>(
    work: (session: SmbclientSession) => Promise<T>,
    signal?: AbortSignal,
    isRepeatable = true,
  ): Promise<T> {
    try {
      return await this.#use(work, signal);
    } catch (error) {
      if (!isRepeatable || !hasStatus(error, "CONNECTION_DISCONNECTED", "CONNECTION_RESET")) throw error;
      return await this.#use(work, signal);
    }
  }

  async #use<T>(
    work: (session: SmbclientSession) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    await this.#begin(signal);
    try {
      return await this.#with(await this.lend(signal), work, signal);
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#atWork--;
    }
  }

  /**
   * Lends a session that does not count towards `MOST_AT_WORK`, so that a slow reader blocks nobody. Return it with
   * `giveBack`.
   */
  async lend(signal?: AbortSignal): Promise<SmbclientSession> {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      clearTimeout(idle.timer);
      if (await isAlive(idle)) return idle.session;
      this.giveBack(idle.session);
    }
    const { folder, login } = await this.prepare();
    const session = await SmbclientSession.open(login, folder, this.#address.place, signal);
    this.#all.add(session);
    return session;
  }

  giveBack(session: SmbclientSession): void {
    if (session.isOver || !this.#all.has(session)) {
      this.#end(session);
      return;
    }
    const timer = setTimeout(() => {
      this.#idle = this.#idle.filter((idle) => idle.session !== session);
      this.#end(session);
    }, KEPT_MS).unref();
    this.#idle.push({ session, since: performance.now(), timer });
  }

  /** The login and the local folder for a process of smbclient. */
  async prepare(): Promise<{ readonly login: Login; readonly folder: string }> {
    return { login: await loginOf(this.#address), folder: await this.#localFolder() };
  }

  /** Creates a local file for smbclient to read. The caller removes it. */
  async localFile(bytes: Uint8Array): Promise<{ readonly path: string; remove(): Promise<void> }> {
    const path = join(await this.#localFolder(), String(++this.#files));
    await writeFile(path, bytes, { mode: 0o600, flag: "wx" });
    return { path, remove: () => rm(path, { force: true }) };
  }

  async close(): Promise<void> {
    for (const { timer } of this.#idle.splice(0)) clearTimeout(timer);
    for (const session of this.#all) this.#end(session);
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }

  /** Only this process uses the folder. It is created again if a cleaner of the temporary folder removed it. */
  async #localFolder(): Promise<string> {
    if (this.#folder === undefined || !existsSync(this.#folder)) {
      this.#folder = mkdtempSync(join(tmpdir(), "andon-smb-"));
    }
    return this.#folder;
  }

  async #begin(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#atWork < MOST_AT_WORK) {
      this.#atWork++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const abort = () => {
        this.#waiting = this.#waiting.filter((other) => other !== begin);
        reject(signal?.reason);
      };
      const begin = () => {
        signal?.removeEventListener("abort", abort);
        resolve();
      };
      signal?.addEventListener("abort", abort, { once: true });
      this.#waiting.push(begin);
    });
  }

  async #with<T>(
    session: SmbclientSession,
    work: (session: SmbclientSession) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const abort = () => session.kill(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      signal?.throwIfAborted();
      return await work(session);
    } catch (error) {
      // A late answer would be taken for that of the next request, and the idle sessions have lost the same server.
      if (FAULTS[faultCodeOf(error)].fault === "destination") this.#endAllIdle(session);
      throw error;
    } finally {
      signal?.removeEventListener("abort", abort);
      this.giveBack(session);
    }
  }

  #endAllIdle(failed: SmbclientSession): void {
    failed.kill();
    for (const { session, timer } of this.#idle.splice(0)) {
      clearTimeout(timer);
      this.#end(session);
    }
  }

  #end(session: SmbclientSession): void {
    this.#all.delete(session);
    session.kill();
  }
}

async function answerOf(
  session: SmbclientSession,
  command: string,
  isAnswer: (line: string) => boolean,
): Promise<string[]> {
  const lines = await session.run(command);
  const failure = failureIn(lines.filter((line) => !isAnswer(line)));
  if (failure) throw failure;
  return lines;
}

async function isAlive({ session, since }: Idle): Promise<boolean> {
  if (session.isOver) return false;
  if (performance.now() - since < FRESH_MS) return true;
  try {
    await answerOf(session, "echo 1 .", () => false);
    return true;
  } catch {
    session.kill();
    return false;
  }
}
