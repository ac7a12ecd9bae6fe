import type { FaultCode } from "./faults.ts";
import { NT_STATUSES } from "./smb/nt-statuses.ts";

/** What the operating system says (`error.code`), of local calls and of sockets alike. */
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

/** What S3 and its imitators say (`error.name`), and what their SDK says before it has asked anybody. */
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

/** What an SFTP server answers (`error.sftpStatus`). Its general failure stands for much, also for a full disk: the driver looks. */
const SFTP_STATUSES: Record<number, FaultCode> = {
  2: "SOURCE_MISSING",
  3: "DENIED",
  5: "NAME_TOO_LONG",
  6: "UNREACHABLE",
  7: "UNREACHABLE",
  8: "NOT_SUPPORTED",
  11: "TARGET_EXISTS",
};

/** Where a connection of SSH failed (`error.level`). */
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

/** What TLS says of a server's certificate (`error.code`). */
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

/** The status of an HTTP answer whose error has no name we know. */
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
 * Reads an error of a driver's own world. What nobody knows is the file's: a mistake here holds one file for a person to
 * look at, while the opposite mistake would stop everything for one odd file.
 */
export function faultCodeOf(error: unknown): FaultCode {
  return known(error, 0) ?? "UNKNOWN";
}

/** An error can hide the telling one: as its cause, or as one of several when every address of a host was tried. */
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
