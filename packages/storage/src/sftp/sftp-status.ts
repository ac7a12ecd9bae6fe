/** The status codes of version 3 of the protocol, and one of later versions (11) that servers of version 3 send too. */
export const STATUS = {
  EOF: 1,
  NO_SUCH_FILE: 2,
  PERMISSION_DENIED: 3,
  FAILURE: 4,
  BAD_MESSAGE: 5,
  NO_CONNECTION: 6,
  CONNECTION_LOST: 7,
  OP_UNSUPPORTED: 8,
  FILE_ALREADY_EXISTS: 11,
} as const;

/** The status with which an SFTP server refused a request. */
export class SftpStatus extends Error {
  override readonly name = "SftpStatus";
  readonly sftpStatus: number;

  constructor(status: number, message: string) {
    super(message);
    this.sftpStatus = status;
  }
}

export function statusOf(error: unknown): number | undefined {
  return error instanceof SftpStatus ? error.sftpStatus : undefined;
}

/**
 * Whether an error means that nothing exists at a path: it is missing, or cannot exist. OpenSSH answers `BAD_MESSAGE`
 * for a name that is too long.
 */
export function isNowhere(error: unknown): boolean {
  const status = statusOf(error);
  return status === STATUS.NO_SUCH_FILE || status === STATUS.BAD_MESSAGE;
}

/**
 * Whether an error may mean that the target exists. OpenSSH has no status for that and answers with its general
 * failure.
 */
export function mayExist(error: unknown): boolean {
  const status = statusOf(error);
  return status === STATUS.FAILURE || status === STATUS.FILE_ALREADY_EXISTS;
}
