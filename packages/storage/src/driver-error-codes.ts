import type { FaultCode } from "./faults.ts";
import { NT_STATUSES } from "./smb/nt-statuses.ts";

/** Error codes of the operating system (`error.code`), for local calls and for sockets. */
const ERRNO: Record<string, FaultCode> = {
  EAI_AGAIN: "UNREACHABLE",
  ECONNABORTED: "UNREACHABLE",
  ECONNREFUSED: "UNREACHABLE",
  ECONNRESET: "UNREACHABLE",
  EHOSTDOWN: "UNREACHABLE",
  EHOSTUNREACH: "UNREACHABLE",
  ENETDOWN: "UNREACHABLE",
  ENETRESET: "UNREACHABLE",
  ENETUNREACH: "UNREACHABLE",
  ENOLINK: "UNREACHABLE",
  ENOTCONN: "UNREACHABLE",
  ENOTFOUND: "UNREACHABLE",
  EPIPE: "UNREACHABLE",
  EPROTO: "UNREACHABLE",
  ESHUTDOWN: "UNREACHABLE",
  ETIMEDOUT: "TIMED_OUT",
  ENODEV: "NOT_MOUNTED",
  ENXIO: "NOT_MOUNTED",
  ESTALE: "NOT_MOUNTED",
  EDQUOT: "FULL",
  ENOSPC: "FULL",
  EROFS: "READ_ONLY",
  EIO: "BROKEN",
  EREMOTEIO: "BROKEN",
  EMFILE: "EXHAUSTED",
  ENFILE: "EXHAUSTED",
  ENOBUFS: "EXHAUSTED",
  ENOMEM: "EXHAUSTED",
  ENOSYS: "NOT_SUPPORTED",
  ENAMETOOLONG: "NAME_TOO_LONG",
  EILSEQ: "NAME_REFUSED",
  ELOOP: "LINK_REFUSED",
  EACCES: "DENIED",
  EPERM: "DENIED",
  EISDIR: "NOT_A_FILE",
  ENOTDIR: "NOT_A_FOLDER",
  ENOTEMPTY: "FOLDER_NOT_EMPTY",
  EEXIST: "TARGET_EXISTS",
  ENOENT: "SOURCE_MISSING",
  EFBIG: "TOO_LARGE",
  EBUSY: "IN_USE",
  ETXTBSY: "IN_USE",
  EXDEV: "OTHER_DEVICE",
};

/** Error names of S3 and compatible servers (`error.name`), and of the SDK before it sends a request. */
const S3_NAMES: Record<string, FaultCode> = {
  NetworkingError: "UNREACHABLE",
  RequestTimeout: "TIMED_OUT",
  TimeoutError: "TIMED_OUT",
  NoSuchBucket: "NOT_MOUNTED",
  PermanentRedirect: "NOT_MOUNTED",
  AccountProblem: "LOGIN",
  AllAccessDisabled: "LOGIN",
  CredentialsProviderError: "LOGIN",
  ExpiredToken: "LOGIN",
  InvalidAccessKeyId: "LOGIN",
  InvalidToken: "LOGIN",
  RequestTimeTooSkewed: "LOGIN",
  SignatureDoesNotMatch: "LOGIN",
  TokenProviderError: "LOGIN",
  QuotaExceeded: "FULL",
  XMinioStorageFull: "FULL",
  InternalError: "BUSY",
  ServiceUnavailable: "BUSY",
  SlowDown: "BUSY",
  Throttling: "BUSY",
  ThrottlingException: "BUSY",
  TooManyRequests: "BUSY",
  NotImplemented: "NOT_SUPPORTED",
  KeyTooLongError: "NAME_TOO_LONG",
  AccessDenied: "DENIED",
  ConditionalRequestConflict: "IN_USE",
  OperationAborted: "IN_USE",
  PreconditionFailed: "TARGET_EXISTS",
  NoSuchKey: "SOURCE_MISSING",
  NotFound: "SOURCE_MISSING",
  BadDigest: "CHECKSUM_MISMATCH",
  XAmzContentChecksumMismatch: "CHECKSUM_MISMATCH",
  XAmzContentSHA256Mismatch: "CHECKSUM_MISMATCH",
  NoSuchUpload: "TEMPORARY_GONE",
  EntityTooLarge: "TOO_LARGE",
};

/**
 * Status codes of an SFTP server (`error.sftpStatus`). Its general failure (4) is missing here: it has many causes,
 * among them a full disk, and the driver finds out which.
 */
const SFTP_STATUSES: Record<number, FaultCode> = {
  2: "SOURCE_MISSING",
  3: "DENIED",
  5: "NAME_TOO_LONG",
  6: "UNREACHABLE",
  7: "UNREACHABLE",
  8: "NOT_SUPPORTED",
  11: "TARGET_EXISTS",
};

/** The stage at which an SSH connection failed (`error.level`). */
const SSH_LEVELS: Record<string, FaultCode> = {
  agent: "LOGIN",
  "client-authentication": "LOGIN",
  "client-dns": "UNREACHABLE",
  "client-socket": "UNREACHABLE",
  "client-timeout": "TIMED_OUT",
  handshake: "UNREACHABLE",
  protocol: "UNREACHABLE",
  "sftp-protocol": "UNREACHABLE",
};

/** Error codes of TLS for the certificate of a server (`error.code`). */
const CERTIFICATES: Record<string, FaultCode> = {
  CERT_HAS_EXPIRED: "UNTRUSTED",
  CERT_NOT_YET_VALID: "UNTRUSTED",
  CERT_REVOKED: "UNTRUSTED",
  CERT_SIGNATURE_FAILURE: "UNTRUSTED",
  CERT_UNTRUSTED: "UNTRUSTED",
  DEPTH_ZERO_SELF_SIGNED_CERT: "UNTRUSTED",
  ERR_TLS_CERT_ALTNAME_INVALID: "UNTRUSTED",
  SELF_SIGNED_CERT_IN_CHAIN: "UNTRUSTED",
  UNABLE_TO_GET_ISSUER_CERT: "UNTRUSTED",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "UNTRUSTED",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "UNTRUSTED",
};

/** The status of an HTTP response, for errors whose name is not in the tables above. */
const HTTP_STATUSES: Record<number, FaultCode> = {
  301: "NOT_MOUNTED",
  401: "LOGIN",
  403: "DENIED",
  404: "SOURCE_MISSING",
  408: "TIMED_OUT",
  412: "TARGET_EXISTS",
  413: "TOO_LARGE",
  414: "NAME_TOO_LONG",
  423: "IN_USE",
  429: "BUSY",
  500: "BUSY",
  501: "NOT_SUPPORTED",
  502: "BUSY",
  503: "BUSY",
  504: "TIMED_OUT",
  507: "FULL",
};

interface Signed {
  code?: unknown;
  name?: unknown;
  cause?: unknown;
  errors?: unknown[];
  httpStatus?: number;
  level?: unknown;
  sftpStatus?: unknown;
  $metadata?: { httpStatusCode?: number };
}

/**
 * Translates an error of a driver. An unknown error counts as a fault of the file: if that is wrong, one file waits for
 * a person; the opposite mistake would stop the whole queue for one odd file.
 */
export function faultCodeOf(error: unknown): FaultCode {
  return known(error, 0) ?? "UNKNOWN";
}

/**
 * The error that carries the code can be nested: as the `cause`, or in `errors` when every address of a host was tried.
 */
function known(error: unknown, depth: number): FaultCode | undefined {
  if (typeof error !== "object" || error === null || depth > 3) return undefined;
  const { code, name, cause, errors, httpStatus, level, sftpStatus, $metadata } = error as Signed;
  return (
    (typeof code === "string" ? (ERRNO[code] ?? CERTIFICATES[code] ?? NT_STATUSES[code]) : undefined) ??
    (typeof name === "string" ? S3_NAMES[name] : undefined) ??
    (typeof sftpStatus === "number" ? SFTP_STATUSES[sftpStatus] : undefined) ??
    (typeof level === "string" ? SSH_LEVELS[level] : undefined) ??
    HTTP_STATUSES[$metadata?.httpStatusCode ?? httpStatus ?? 0] ??
    known(cause, depth + 1) ??
    known(errors?.[0], depth + 1)
  );
}
