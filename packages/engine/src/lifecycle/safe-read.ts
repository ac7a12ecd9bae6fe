/** The text for an error that throws when it is read. */
export const UNREADABLE = "an error that cannot be read";

/**
 * Reads a value that a handler threw or returned. The read may run the handler's own code (a getter, a Proxy, an
 * inspector); if that throws, the result is `otherwise`.
 */
export function safeRead<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    return otherwise;
  }
}

/** Whether the value is an error; false if even this check throws. */
export function isError(thrown: unknown): thrown is Error {
  return safeRead(() => thrown instanceof Error, false);
}

/**
 * The thrown value itself if the usual reads of an error do not throw, else an error that says that it cannot be read.
 */
export function presentable(thrown: unknown): unknown {
  const looked = safeRead(() => {
    const { message, code } = Object(thrown) as { message?: unknown; code?: unknown };
    return { isError: thrown instanceof Error, message, code };
  }, undefined);
  return looked ? thrown : new Error(UNREADABLE);
}
