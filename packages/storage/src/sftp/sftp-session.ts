import ssh2, { type FileEntryWithStats, type SFTPWrapper, type Stats } from "ssh2";
import { hostKeyCheckOf } from "./host-key.ts";
import { errno, lostConnection } from "./sftp-errno.ts";
import { configOf, loggedIn } from "./sftp-login.ts";
import { SftpStatus, STATUS } from "./sftp-status.ts";
import type { SftpAddress } from "./sftp-url.ts";

export interface SftpLimits {
  /** The limit for the connection and the login, in ms. */
  readonly connectMs: number;
  /** How long a server may be silent while a request waits for it, in ms. */
  readonly silenceMs: number;
  /** The same after an abort, when nobody needs the answer. */
  readonly abortedMs: number;
}

export const LIMITS: SftpLimits = { connectMs: 15_000, silenceMs: 30_000, abortedMs: 5_000 };

export interface FileSystemState {
  readonly free: number;
  readonly isReadOnly: boolean;
}

type Answer<T> = (error: Error | null | undefined, value: T) => void;

/**
 * One connection with one SFTP channel. Requests may be sent concurrently; the server answers them in its own order. A
 * server that is silent for too long while a request waits counts as unreachable: the connection is closed, and every
 * waiting request fails.
 */
export class SftpSession {
  readonly #client: ssh2.Client;
  readonly #sftp: SFTPWrapper;
  readonly #limits: SftpLimits;
  readonly #waiting = new Set<(error: Error) => void>();
  #watchdog: NodeJS.Timeout | undefined;
  #end: Error | undefined;

  private constructor(client: ssh2.Client, sftp: SFTPWrapper, limits: SftpLimits) {
    this.#client = client;
    this.#sftp = sftp;
    this.#limits = limits;
    const lost = (error?: Error) => this.#finish(error ?? lostConnection());
    client.on("error", lost).on("close", () => lost());
    sftp.on("error", lost).on("close", () => lost());
  }

  /** Gives up if the signal aborts before the login is done. */
  static async connect(address: SftpAddress, limits: SftpLimits, signal: AbortSignal): Promise<SftpSession> {
    const check = await hostKeyCheckOf(address);
    const config = await configOf(address, limits);
    const client = new ssh2.Client();
    try {
      const sftp = await loggedIn(client, config, check, address, signal);
      return new SftpSession(client, sftp, limits);
    } catch (error) {
      // A late error of the abandoned connection must not end the process.
      client.on("error", () => {});
      client.destroy();
      throw error;
    }
  }

  get isClosed(): boolean {
    return this.#end !== undefined;
  }

  end(): void {
    this.#finish(lostConnection());
  }

  mustAnswerSoon(): void {
    this.#watch(this.#limits.abortedMs);
  }

  lstat(path: string): Promise<Stats> {
    return this.#ask((done) => this.#sftp.lstat(path, done));
  }

  async lstatIfAny(path: string): Promise<Stats | undefined> {
    try {
      return await this.lstat(path);
    } catch (error) {
      if (error instanceof SftpStatus && error.sftpStatus === STATUS.NO_SUCH_FILE) return undefined;
      throw error;
    }
  }

  stat(path: string): Promise<Stats> {
    return this.#ask((done) => this.#sftp.stat(path, done));
  }

  fstat(handle: Buffer): Promise<Stats> {
    return this.#ask((done) => this.#sftp.fstat(handle, done));
  }

  open(path: string, flags: "r" | "wx", mode = 0o664): Promise<Buffer> {
    return this.#ask((done) => this.#sftp.open(path, flags, mode, done));
  }

  openFolder(path: string): Promise<Buffer> {
    return this.#ask((done) => this.#sftp.opendir(path, done));
  }

  close(handle: Buffer): Promise<void> {
    return this.#do((done) => this.#sftp.close(handle, done));
  }

  /** Reads at most `length` bytes; none at the end of the file. */
  async read(handle: Buffer, position: number, length: number, signal?: AbortSignal): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(length);
    const count = await this.#ask<number>(
      (done) => this.#sftp.read(handle, buffer, 0, length, position, done),
      signal,
    );
    return buffer.subarray(0, count);
  }

  write(handle: Buffer, bytes: Buffer, position: number): Promise<void> {
    return this.#do((done) => this.#sftp.write(handle, bytes, 0, bytes.byteLength, position, done));
  }

  /** The next entries of an open folder; undefined at the end. */
  async readFolder(handle: Buffer): Promise<FileEntryWithStats[] | undefined> {
    try {
      return await this.#ask<FileEntryWithStats[]>((done) => this.#sftp.readdir(handle, done));
    } catch (error) {
      if (error instanceof SftpStatus && error.sftpStatus === STATUS.EOF) return undefined;
      throw error;
    }
  }

  makeFolder(path: string): Promise<void> {
    return this.#do((done) => this.#sftp.mkdir(path, done));
  }

  removeFolder(path: string): Promise<void> {
    return this.#do((done) => this.#sftp.rmdir(path, done));
  }

  remove(path: string): Promise<void> {
    return this.#do((done) => this.#sftp.unlink(path, done));
  }

  /**
   * The rename of the protocol, which must not overwrite. Some servers overwrite all the same; see
   * `refusesToOverwrite`.
   */
  rename(from: string, to: string): Promise<void> {
    return this.#do((done) => this.#sftp.rename(from, to, done));
  }

  /** Undefined if the server offers no hard links. */
  link(from: string, to: string): Promise<void> | undefined {
    return this.#offered((done) => this.#sftp.ext_openssh_hardlink(from, to, done));
  }

  /** Undefined if the server cannot sync on request. */
  sync(handle: Buffer): Promise<void> | undefined {
    return this.#offered((done) => this.#sftp.ext_openssh_fsync(handle, done));
  }

  /** Undefined if the server does not report it. */
  fileSystem(path: string): Promise<FileSystemState> | undefined {
    const asked = this.#offered<Record<"f_bavail" | "f_frsize" | "f_flag", number | bigint>>((done) =>
      this.#sftp.ext_openssh_statvfs(path, done),
    );
    return asked?.then(({ f_bavail, f_frsize, f_flag }) => ({
      free: Number(f_bavail) * Number(f_frsize),
      isReadOnly: (Number(f_flag) & 1) === 1,
    }));
  }

  /** ssh2 throws synchronously, before it sends anything, if the server did not offer an extension. */
  #offered<T = void>(send: (done: Answer<T>) => void): Promise<T> | undefined {
    if (this.#end) return Promise.reject(this.#end);
    let isOffered = true;
    const asked = this.#ask<T>((done) => {
      try {
        send(done);
      } catch {
        isOffered = false;
        done(null, undefined as T);
      }
    });
    return isOffered ? asked : undefined;
  }

  #do(send: (done: (error?: Error | null) => void) => void): Promise<void> {
    return this.#ask<void>((done) => send((error) => done(error, undefined)));
  }

  #ask<T>(send: (done: Answer<T>) => void, signal?: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#end) return reject(this.#end);
      if (signal?.aborted) return reject(signal.reason);
      const abort = () => settle(() => reject(signal?.reason));
      const settle = (how: () => void) => {
        this.#waiting.delete(fail);
        signal?.removeEventListener("abort", abort);
        this.#watch();
        how();
      };
      const fail = (error: Error) => settle(() => reject(error));
      this.#waiting.add(fail);
      signal?.addEventListener("abort", abort, { once: true });
      if (this.#waiting.size === 1) this.#watch();
      send((error, value) => {
        if (!this.#waiting.has(fail)) return;
        if (error) fail(asStatus(error) ?? this.#end ?? lostConnection(error));
        else settle(() => resolve(value));
      });
    });
  }

  /** Restarts the timeout at every answer. It does not run while no request waits. */
  #watch(silenceMs = this.#limits.silenceMs): void {
    clearTimeout(this.#watchdog);
    if (this.#waiting.size === 0 || this.#end) return;
    const problem = errno("ETIMEDOUT", `no answer for ${silenceMs / 1000} s`);
    this.#watchdog = setTimeout(() => this.#finish(problem), silenceMs);
  }

  #finish(error: Error): void {
    if (this.#end) return;
    this.#end = error;
    this.#client.on("error", () => {});
    this.#client.destroy();
    for (const fail of [...this.#waiting]) fail(error);
  }
}

/** The status that the server answered; undefined if the error is not an answer. */
function asStatus(error: Error): SftpStatus | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === "number" ? new SftpStatus(code, error.message) : undefined;
}
