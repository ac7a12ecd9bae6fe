import { FAULTS, type FaultCode, StorageError } from "@andon/storage";
import { describe, expect, it } from "vitest";
import { destinationFaultOf, isDoubtful } from "../src/faults.ts";
import { asStorageError } from "../src/storage-error.ts";

const errno = (code: string) => Object.assign(new Error(code), { code });
const answer = (httpStatus: number) => Object.assign(new Error("HTTP"), { httpStatus });
const sftp = (sftpStatus: number) => Object.assign(new Error("Failure"), { sftpStatus });
const ssh = (level: string) => Object.assign(new Error("ssh"), { level });
const s3 = (name: string, status: number) =>
  Object.assign(new Error(name), { name, $metadata: { httpStatusCode: status } });

/** Each of these errors would hit every other file too, so the whole queue must stop. */
const OF_THE_DESTINATION: [error: Error, code: FaultCode][] = [
  ...[
    "ECONNREFUSED",
    "ECONNRESET",
    "EHOSTDOWN",
    "EHOSTUNREACH",
    "ENETUNREACH",
    "ENETDOWN",
    "ENOTCONN",
    "EPIPE",
  ].map((code) => [errno(code), "UNREACHABLE"] as [Error, FaultCode]),
  [errno("ENOTFOUND"), "UNREACHABLE"],
  [errno("EAI_AGAIN"), "UNREACHABLE"],
  [errno("ETIMEDOUT"), "TIMED_OUT"],
  [errno("ESTALE"), "NOT_MOUNTED"],
  [errno("ENODEV"), "NOT_MOUNTED"],
  [errno("ENXIO"), "NOT_MOUNTED"],
  [errno("ENOSPC"), "FULL"],
  [errno("EPROTO"), "UNREACHABLE"],
  [errno("DEPTH_ZERO_SELF_SIGNED_CERT"), "UNTRUSTED"],
  [errno("CERT_HAS_EXPIRED"), "UNTRUSTED"],
  [answer(401), "LOGIN"],
  [answer(503), "BUSY"],
  [answer(507), "FULL"],
  [sftp(7), "UNREACHABLE"],
  [sftp(8), "NOT_SUPPORTED"],
  [ssh("client-authentication"), "LOGIN"],
  [ssh("client-timeout"), "TIMED_OUT"],
  [ssh("client-socket"), "UNREACHABLE"],
  [errno("EDQUOT"), "FULL"],
  [errno("EROFS"), "READ_ONLY"],
  [errno("EIO"), "BROKEN"],
  [errno("EMFILE"), "EXHAUSTED"],
  [errno("ENOMEM"), "EXHAUSTED"],
  [s3("NoSuchBucket", 404), "NOT_MOUNTED"],
  [s3("InvalidAccessKeyId", 403), "LOGIN"],
  [s3("SignatureDoesNotMatch", 403), "LOGIN"],
  [s3("ExpiredToken", 400), "LOGIN"],
  [s3("CredentialsProviderError", 0), "LOGIN"],
  [s3("SlowDown", 503), "BUSY"],
  [s3("InternalError", 500), "BUSY"],
  [s3("SomethingNew", 503), "BUSY"],
  [s3("SomethingNew", 429), "BUSY"],
  [s3("SomethingNew", 504), "TIMED_OUT"],
  [s3("SomethingNew", 507), "FULL"],
  [s3("RequestTimeout", 400), "TIMED_OUT"],
  [s3("TimeoutError", 0), "TIMED_OUT"],
  [s3("XMinioStorageFull", 507), "FULL"],
  [new Error("wrapped", { cause: errno("ECONNREFUSED") }), "UNREACHABLE"],
  [new AggregateError([errno("ECONNREFUSED"), errno("ENETUNREACH")]), "UNREACHABLE"],
];

/** Each of these errors concerns one file, so the others continue. */
const OF_THE_FILE: [error: Error, code: FaultCode][] = [
  [errno("ENAMETOOLONG"), "NAME_TOO_LONG"],
  [errno("EILSEQ"), "NAME_REFUSED"],
  [errno("EACCES"), "DENIED"],
  [errno("EPERM"), "DENIED"],
  [errno("EISDIR"), "NOT_A_FILE"],
  [errno("ENOTDIR"), "NOT_A_FOLDER"],
  [errno("ENOTEMPTY"), "FOLDER_NOT_EMPTY"],
  [errno("EEXIST"), "TARGET_EXISTS"],
  [errno("ENOENT"), "SOURCE_MISSING"],
  [errno("ELOOP"), "LINK_REFUSED"],
  [errno("EFBIG"), "TOO_LARGE"],
  [errno("EBUSY"), "IN_USE"],
  [errno("EXDEV"), "OTHER_DEVICE"],
  [s3("NoSuchKey", 404), "SOURCE_MISSING"],
  [s3("NotFound", 404), "SOURCE_MISSING"],
  [s3("AccessDenied", 403), "DENIED"],
  [s3("PreconditionFailed", 412), "TARGET_EXISTS"],
  [s3("BadDigest", 400), "CHECKSUM_MISMATCH"],
  [s3("NoSuchUpload", 404), "TEMPORARY_GONE"],
  [s3("EntityTooLarge", 400), "TOO_LARGE"],
  [s3("KeyTooLongError", 400), "NAME_TOO_LONG"],
  [answer(403), "DENIED"],
  [answer(404), "SOURCE_MISSING"],
  [answer(412), "TARGET_EXISTS"],
  [answer(414), "NAME_TOO_LONG"],
  [answer(423), "IN_USE"],
  [sftp(2), "SOURCE_MISSING"],
  [sftp(3), "DENIED"],
  [sftp(4), "UNKNOWN"],
  [errno("ESOMETHING"), "UNKNOWN"],
  [s3("SomethingNew", 400), "UNKNOWN"],
  [new TypeError("a mistake of ours"), "UNKNOWN"],
];

describe("an error", () => {
  it.each(OF_THE_DESTINATION)("of the destination is recognised as one (%s)", (error, code) => {
    const known = asStorageError(error, { place: "nas", path: "a/b" });
    expect(known).toMatchObject({ code, fault: "destination", cause: error });
  });

  it.each(OF_THE_FILE)("of one file is recognised as one (%s)", (error, code) => {
    const known = asStorageError(error, { place: "nas", path: "a/b" });
    expect(known).toMatchObject({ code, fault: "file", cause: error });
  });

  it("that is a StorageError already stays as it is", () => {
    const error = new StorageError("FULL", { place: "nas" });
    expect(asStorageError(error, { place: "cache" })).toBe(error);
  });

  it("says where and why, in both languages", () => {
    const error = asStorageError(errno("ENOENT"), { place: "/mnt/nas", path: "a/b" });
    expect(error.message).toBe('"a/b" is not in /mnt/nas: ENOENT');
    expect(error.in("ko")).toBe('/mnt/nas에 "a/b"가 없습니다: ENOENT');
  });

  it.each([
    ["DENIED", "LOGIN"],
    ["SOURCE_MISSING", "NOT_MOUNTED"],
    ["NOT_A_FOLDER", "NOT_MOUNTED"],
    ["FULL", "FULL"],
  ] as const)("%s from the root itself becomes %s", (code, destinationFault) => {
    expect(destinationFaultOf(code)).toBe(destinationFault);
  });

  it("with a doubtful code becomes a fault of the destination when the root itself gives it", () => {
    const doubtful = (Object.keys(FAULTS) as FaultCode[]).filter(isDoubtful);
    expect(doubtful.map((code) => FAULTS[destinationFaultOf(code)].fault)).toEqual(
      doubtful.map(() => "destination"),
    );
    expect(doubtful.map((code) => FAULTS[code].fault)).toEqual(doubtful.map(() => "file"));
  });
});
