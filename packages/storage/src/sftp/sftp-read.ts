import { Readable } from "node:stream";
import type { Content, GetOptions } from "../storage.ts";
import { StorageError } from "../storage-error.ts";
import type { SftpRoot } from "./sftp-root.ts";
import type { SftpSession } from "./sftp-session.ts";
import type { Borrowed } from "./sftp-sessions.ts";

/** The memory of a read is the number of pieces in flight × the size of a piece. */
const PIECE = 128 * 1024;
const IN_FLIGHT = 8;

/** Opens a regular file to read; links, pipes and devices are refused. */
export async function readOverSftp(
  root: SftpRoot,
  path: string,
  { range, signal }: GetOptions,
): Promise<Content> {
  signal?.throwIfAborted();
  const { session, giveBack } = await root.sessions.borrow();
  try {
    const { handle, size } = await openFile(root, session, path);
    const start = Math.min(range?.start ?? 0, size);
    const end = Math.max(start, Math.min(range?.end ?? size, size));
    const stream = new SftpReading({ root, path, session, giveBack, handle, start, end, signal });
    return { stream, size, length: end - start };
  } catch (error) {
    giveBack();
    throw error;
  }
}

async function openFile(
  root: SftpRoot,
  session: SftpSession,
  path: string,
): Promise<{ handle: Buffer; size: number }> {
  const file = await root.resolve(session, path);
  // `open` would follow a link, and block on a pipe.
  const found = await session.lstat(file);
  if (!found.isFile()) {
    const code = found.isSymbolicLink() ? "LINK_REFUSED" : "NOT_A_FILE";
    throw new StorageError(code, { place: root.place, path });
  }
  const handle = await session.open(file, "r");
  try {
    return { handle, size: (await session.fstat(handle)).size };
  } catch (error) {
    await session.close(handle).catch(() => {});
    throw error;
  }
}

interface Reading extends Borrowed {
  readonly root: SftpRoot;
  readonly path: string;
  readonly handle: Buffer;
  readonly start: number;
  readonly end: number;
  readonly signal: AbortSignal | undefined;
}

/** The bytes of an open file, requested ahead of time and given in order. Fails if the file is shortened meanwhile. */
class SftpReading extends Readable {
  readonly #reading: Reading;
  readonly #coming: Promise<Buffer>[] = [];
  readonly #given = new AbortController();
  #asked: number;

  constructor(reading: Reading) {
    super({ highWaterMark: PIECE, ...(reading.signal ? { signal: reading.signal } : {}) });
    this.#reading = reading;
    this.#asked = reading.start;
  }

  override _read(): void {
    void this.#next().then(
      (piece) => this.push(piece),
      async (error) => this.destroy(await this.#reading.root.faultOf(error, this.#reading.path, "reading")),
    );
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    const { session, handle, giveBack, signal } = this.#reading;
    this.#given.abort(new Error("nobody reads any more"));
    void session
      .close(handle)
      .catch(() => {})
      .then(() => {
        giveBack();
        callback(signal?.aborted && error ? signal.reason : error);
      });
  }

  async #next(): Promise<Buffer | null> {
    const { end } = this.#reading;
    while (this.#coming.length < IN_FLIGHT && this.#asked < end) {
      const length = Math.min(PIECE, end - this.#asked);
      const piece = this.#piece(this.#asked, length);
      // A piece can fail before it is awaited.
      piece.catch(() => {});
      this.#coming.push(piece);
      this.#asked += length;
    }
    return (await this.#coming.shift()) ?? null;
  }

  /** A server may return fewer bytes than requested. */
  async #piece(position: number, length: number): Promise<Buffer> {
    const { session, handle, root, path } = this.#reading;
    const first = await session.read(handle, position, length, this.#given.signal);
    if (first.byteLength === length) return first;
    if (first.byteLength === 0) {
      const reason = { en: "it became shorter", ko: "읽는 동안 짧아졌습니다" };
      throw new StorageError("SOURCE_CHANGED", { place: root.place, path, reason });
    }
    const rest = await this.#piece(position + first.byteLength, length - first.byteLength);
    return Buffer.concat([first, rest]);
  }
}
