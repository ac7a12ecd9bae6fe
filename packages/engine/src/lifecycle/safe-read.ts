/** The text for an error that throws when it is read. */
export const UNREADABLE = "an error that cannot be read";

/**
 * A look at what a handler threw or returned may run the handler's own code: a getter, a Proxy, an inspector. What that
 * throws is nobody's news; `otherwise` stands for what cannot be seen.
 */
export function safeRead<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    return otherwise;
  }
}

/** Whether it is an error, as far as it lets itself be asked. */
export function isError(thrown: unknown): thrown is Error {
  return safeRead(() => thrown instanceof Error, false);
}

/** The thing itself where it lets itself be looked at as those do who catch errors, else one that says that it does not. */
export function presentable(thrown: unknown): unknown {
  const looked = safeRead(() => {
    const { message, code } = Object(thrown) as { message?: unknown; code?: unknown };
    return { isError: thrown instanceof Error, message, code };
  }, undefined);
  return looked ? thrown : new Error(UNREADABLE);
}
