const BUSY = 5;
const NO_MEMORY = 7;
const READ_ONLY = 8;
const IO_ERROR = 10;
const FULL = 13;
const CANNOT_OPEN = 14;
const TOO_BIG = 18;
const CONSTRAINT = 19;
const MISMATCH = 20;

/** The disk below the file fails, is full or read-only. The statement was rolled back. */
const AWAY = new Set([READ_ONLY, IO_ERROR, FULL, CANNOT_OPEN]);

/** The data does not fit, or a constraint or a trigger refuses it. */
const OF_THE_VALUE = new Set([TOO_BIG, CONSTRAINT, MISMATCH]);

/** SQLite's own messages, which are always in English: the driver of Node 20 sets no number on errors of `all`. */
const BY_TEXT: Readonly<Record<string, number>> = {
  "database is locked": BUSY,
  "out of memory": NO_MEMORY,
  "attempt to write a readonly database": READ_ONLY,
  "disk I/O error": IO_ERROR,
  "database or disk is full": FULL,
  "unable to open database file": CANNOT_OPEN,
};

export function isBusy(error: unknown): boolean {
  return codeOf(error) === BUSY;
}

export function isAway(error: unknown): boolean {
  return AWAY.has(codeOf(error) ?? 0);
}

export function isRefusal(error: unknown): boolean {
  return OF_THE_VALUE.has(codeOf(error) ?? 0);
}

export function hasNoRoom(error: unknown): boolean {
  return codeOf(error) === NO_MEMORY;
}

/** The primary result code; the higher bits of the extended code give the source. */
function codeOf(error: unknown): number | undefined {
  const { code, errcode, message } = (error ?? {}) as { code?: unknown; errcode?: number; message?: string };
  if (errcode !== undefined) return errcode % 256;
  return code === "ERR_SQLITE_ERROR" ? BY_TEXT[message ?? ""] : undefined;
}
