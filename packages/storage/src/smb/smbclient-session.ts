import { type ChildProcessByStdio, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import { faultOfThePlace } from "../faults.ts";
import { asStorageError, StorageError } from "../storage-error.ts";
import { inputLine } from "./command-line.ts";
import { failureIn, SmbError } from "./smb-error.ts";
import type { Login } from "./smb-login.ts";

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** A process of smbclient. The bytes of files go through its standard input and output, what it says comes from `stderr`. */
export function spawnSmbclient(login: Login, folder: string, more: readonly string[] = []): Child {
  return spawn("smbclient", [...login.args, ...more], {
    cwd: folder,
    env: login.env,
    stdio: ["pipe", "pipe", "pipe"],
    // An interrupt from the terminal goes to the whole group: it must not end what a shutdown still waits for.
    detached: true,
  });
}

/** What an error means that came before a process of smbclient was of use: it is the place's, whatever its name. */
export function startFault(error: unknown, place: string): StorageError {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") {
    const reason = {
      en: "smbclient is not installed (Debian, Ubuntu: apt-get install smbclient)",
      ko: "smbclient가 설치되어 있지 않습니다 (Debian, Ubuntu: apt-get install smbclient)",
    };
    return new StorageError("PROGRAM_MISSING", { place, reason }, { cause: error });
  }
  const { code, reason = "" } = asStorageError(error, { place });
  return new StorageError(faultOfThePlace(code), { place, reason }, { cause: error });
}

/** A name may look like anything, so the last size in the line is the size. */
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
 * A connection that takes one command after another: a command costs half a millisecond, a process of its own fifty to a hundred.
 *
 * smbclient prints no prompt where its input is no terminal, and most commands print nothing when they succeed. So a mark
 * follows each: a word that is no command, and is answered with `<mark>: command not found` when the command is through. The
 * word has a random part, so that no name in a listing can look like it. Should smbclient have read the mark together with the
 * command, it does not see it before more input comes, so it is sent again until it is answered.
 */
export class SmbclientSession {
  readonly #child: Child;
  readonly #nonce = randomBytes(8).toString("hex");
  #count = 0;
  #rest = "";
  #waiting: Waiting | undefined;
  #over: { readonly error: unknown } | undefined;
  /** Fails when the session is over. */
  readonly #broken: Promise<never>;
  #break: (error: unknown) => void = () => {};

  private constructor(login: Login, folder: string) {
    this.#child = spawnSmbclient(login, folder);
    this.#broken = new Promise((_, reject) => {
      this.#break = reject;
    });
    this.#broken.catch(() => {});
    const { stdin, stderr } = this.#child;
    // Why nothing can be written is said by its end.
    stdin.on("error", () => {});
    stderr.setEncoding("utf8").on("data", (text: string) => this.#take(text));
    this.#child.once("error", (error) => this.#end(error));
    this.#child.once("close", () => this.#end(undefined));
  }

  /** Logs in. Failures are the place's. */
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

  /** Runs `get <path> -`: the bytes go to `take`, which may say with a promise that it has enough for now. Gives the file's size. */
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
      // The last bytes may still be in the pipe.
      while (taken < size) {
        await Promise.race([new Promise<void>((resolve) => (moved = resolve)), this.#broken]);
      }
      return size;
    } finally {
      stdout.off("data", onData);
      stdout.pause();
    }
  }

  /** What a command prints, once it is through. One at a time. */
  run(command: string): Promise<string[]> {
    return new Promise((resolve, reject) => {
      if (this.#over) throw this.#over.error;
      if (this.#waiting) throw new Error("smbclient is at another command");
      const mark = `~${this.#nonce}-${++this.#count}`;
      this.#child.stdin.write(inputLine(command));
      this.#waiting = { mark, lines: [], resolve, reject };
      setImmediate(() => this.#askForMark(mark, FIRST_NUDGE_MS));
    });
  }

  /** Ends it at once, whatever it is doing. */
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
