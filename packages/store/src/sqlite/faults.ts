const BUSY = 5;
const NO_MEMORY = 7;
const READ_ONLY = 8;
const IO_ERROR = 10;
const FULL = 13;
const CANNOT_OPEN = 14;
const TOO_BIG = 18;
const CONSTRAINT = 19;
const MISMATCH = 20;

/** The disk below the file fails, is full or takes no writes. What was asked is undone. */
const AWAY = new Set([READ_ONLY, IO_ERROR, FULL, CANNOT_OPEN]);

/** What was to be written does not fit, or a rule of the tables or a trigger does not allow it. */
const OF_THE_VALUE = new Set([TOO_BIG, CONSTRAINT, MISMATCH]);

/** SQLite's own texts, in no other language: the driver of Node 20 gives no number with errors of `all`. */
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

/** The primary result code; the bits above it say more about where it came from. */
function codeOf(error: unknown): number | undefined {
  const { code, errcode, message } = (error ?? {}) as { code?: unknown; errcode?: number; message?: string };
  if (errcode !== undefined) return errcode % 256;
  return code === "ERR_SQLITE_ERROR" ? BY_TEXT[message ?? ""] : undefined;
}
