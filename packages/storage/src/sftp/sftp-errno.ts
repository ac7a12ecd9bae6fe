/** Errors of a connection, with the error codes of the operating system. */

export function lostConnection(cause?: Error): Error {
  return errno("ECONNRESET", "the connection was lost", cause);
}

export function errno(code: string, message: string, cause?: Error): Error {
  return Object.assign(new Error(message, { cause }), { code });
}
