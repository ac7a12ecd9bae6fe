import { type ChildProcessByStdio, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import { destinationFaultOf } from "../faults.ts";
import { asStorageError, StorageError } from "../storage-error.ts";
import { inputLine } from "./command-line.ts";
import { failureIn, SmbError } from "./smb-error.ts";
import type { Login } from "./smb-login.ts";

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Starts a process of smbclient. The bytes of files pass through its standard input and output; its messages appear on
 * `stderr`.
 */
export function spawnSmbclient(login: Login, folder: string, more: readonly string[] = []): Child {
  return spawn("smbclient", [...login.args, ...more], {
    cwd: folder,
    env: login.env,
    stdio: ["pipe", "pipe", "pipe"],
    // An interrupt from the terminal goes to the whole process group, and must not end a transfer that a shutdown still
    // waits for.
    detached: true,
  });
}

/** The fault that an error means before a process of smbclient is ready: always one of the destination. */
export function startFault(error: unknown, place: string): StorageError {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") {
    const reason = {
      en: "smbclient is not installed (Debian, Ubuntu: apt-get install smbclient)",
      ko: "smbclient가 설치되어 있지 않습니다 (Debian, Ubuntu: apt-get install smbclient)",
    };
    return new StorageError("PROGRAM_MISSING", { place, reason }, { cause: error });
  }
  const { code, reason = "" } = asStorageError(error, { place });
  return new StorageError(destinationFaultOf(code), { place, reason }, { cause: error });
}

/** A name can look like the rest of the line, so the last size in the line counts. */
const GOT = /^getting file .* of size (\d+) as - \(/;

interface Waiting {
  readonly mark: string;
  readonly lines: string[];
  readonly resolve: (lines: string[]) => void;
  readonly reject: (error: unknown) => void;
}

const FIRST_NUDGE_MS = 20;
const LONGEST_NUDGE_MS = 1_000;
const LONGEST_LOGIN_MS = 15_000;

/**
 * A connection that runs one command after another: a command takes 0.5 ms, starting a process 50 to 100 ms.
 *
 * smbclient prints no prompt if its input is not a terminal, and most commands print nothing when they succeed. So each
 * command is followed by a mark: a word that is no command, which smbclient answers with `<mark>: command not found`
 * after the command has finished. The word has a random part, so that no name in a listing can look like it. If
 * smbclient has read the mark together with the command, it handles the mark only after more input, so the mark is sent
 * again until it is answered.
 */
export class SmbclientSession {
  readonly #child: Child;
  readonly #nonce = randomBytes(8).toString("hex");
  #count = 0;
  #rest = "";
  #waiting: Waiting | undefined;
  #over: { readonly error: unknown } | undefined;
  /** Rejects when the session ends. */
  readonly #broken: Promise<never>;
  #break: (error: unknown) => void = () => {};

  private constructor(login: Login, folder: string) {
    this.#child = spawnSmbclient(login, folder);
    this.#broken = new Promise((_, reject) => {
      this.#break = reject;
    });
    this.#broken.catch(() => {});
    const { stdin, stderr } = this.#child;
    // The end of the process reports why nothing can be written.
    stdin.on("error", () => {});
    stderr.setEncoding("utf8").on("data", (text: string) => this.#take(text));
    this.#child.once("error", (error) => this.#end(error));
    this.#child.once("close", () => this.#end(undefined));
  }

  /** Logs in. Every failure is a fault of the destination. */
  static async open(
    login: Login,
    folder: string,
    place: string,
    signal?: AbortSignal,
  ): Promise<SmbclientSession> {
    const session = new SmbclientSession(login, folder);
    const abort = () => session.kill(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    const late = setTimeout(() => session.kill(new StorageError("TIMED_OUT", { place })), LONGEST_LOGIN_MS);
    try {
      await session.run("");
      return session;
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw startFault(error, place);
    } finally {
      clearTimeout(late);
      signal?.removeEventListener("abort", abort);
    }
  }

  get isOver(): boolean {
    return this.#over !== undefined;
  }

  /**
   * Runs `get <path> -` and passes the bytes to `take`, which can return a promise to pause the transfer. Returns the
   * file's size.
   */
  async read(command: string, take: (bytes: Buffer) => Promise<void> | undefined): Promise<number> {
    const { stdout } = this.#child;
    let taken = 0;
    let moved = () => {};
    const onData = (bytes: Buffer) => {
      taken += bytes.byteLength;
      const enough = take(bytes);
      if (enough) {
        stdout.pause();
        void enough.then(() => stdout.resume());
      }
      moved();
    };
    stdout.on("data", onData);
    stdout.resume();
    try {
      const lines = await this.run(command);
      const failure = failureIn(lines.filter((line) => !GOT.test(line)));
      if (failure) throw failure;
      const size = Number(GOT.exec(lines.at(-1) ?? "")?.[1]);
      if (Number.isNaN(size)) throw new SmbError("UNKNOWN", "smbclient did not tell the size");
      // The last bytes can still be in the pipe.
      while (taken < size) {
        await Promise.race([new Promise<void>((resolve) => (moved = resolve)), this.#broken]);
      }
      return size;
    } finally {
      stdout.off("data", onData);
      stdout.pause();
    }
  }

  /** Returns the lines that a command prints, after it has finished. Only one command can run at a time. */
  run(command: string): Promise<string[]> {
    return new Promise((resolve, reject) => {
      if (this.#over) throw this.#over.error;
      if (this.#waiting) throw new Error("smbclient is running another command");
      const mark = `~${this.#nonce}-${++this.#count}`;
      this.#child.stdin.write(inputLine(command));
      this.#waiting = { mark, lines: [], resolve, reject };
      setImmediate(() => this.#askForMark(mark, FIRST_NUDGE_MS));
    });
  }

  /** Ends the session at once, even during a command. */
  kill(reason: unknown = new SmbError("NT_STATUS_LOCAL_DISCONNECT", "smbclient was ended")): void {
    this.#child.kill("SIGKILL");
    this.#end(reason);
  }

  #askForMark(mark: string, again: number): void {
    if (this.#waiting?.mark !== mark) return;
    this.#child.stdin.write(inputLine(mark));
    setTimeout(() => this.#askForMark(mark, Math.min(2 * again, LONGEST_NUDGE_MS)), again).unref();
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() as string;
    for (const line of lines) {
      if (line === `${this.#waiting?.mark}: command not found`) this.#answer();
      else if (!line.startsWith(`~${this.#nonce}-`)) this.#waiting?.lines.push(line);
    }
  }

  #answer(): void {
    const { lines = [], resolve } = this.#waiting ?? {};
    this.#waiting = undefined;
    resolve?.(lines);
  }

  #end(reason: unknown): void {
    const lines = [...(this.#waiting?.lines ?? []), this.#rest].filter((line) => line !== "");
    const error =
      reason ?? failureIn(lines) ?? new SmbError("NT_STATUS_CONNECTION_DISCONNECTED", "smbclient ended");
    this.#over ??= { error };
    this.#break(error);
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }
}
