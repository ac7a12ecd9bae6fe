/** The answers of version 3 of the protocol, and the one of later versions that servers of version 3 give too. */
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

/** What an SFTP server answered instead of doing what it was asked. */
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

/** Whether nothing lies at a path: it is missing, or nothing can be there. OpenSSH says the second of a name that is too long. */
export function isNowhere(error: unknown): boolean {
  const status = statusOf(error);
  return status === STATUS.NO_SUCH_FILE || status === STATUS.BAD_MESSAGE;
}

/** OpenSSH has one answer for all that it has no number for, and "it exists already" is among them. */
export function mayExist(error: unknown): boolean {
  const status = statusOf(error);
  return status === STATUS.FAILURE || status === STATUS.FILE_ALREADY_EXISTS;
}
