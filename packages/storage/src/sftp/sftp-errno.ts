/** Errors of a connection, in the words that the operating system has for them. */

export function lostConnection(cause?: Error): Error {
  return errno("ECONNRESET", "the connection was lost", cause);
}

export function errno(code: string, message: string, cause?: Error): Error {
  return Object.assign(new Error(message, { cause }), { code });
}
