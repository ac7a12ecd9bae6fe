import { type AppSettings, folderOr } from "@andon/app";
import { allows, duration } from "@andon/contract";
import * as z from "zod";

const own = z
  .strictObject({
    trashKeep: duration.default(30 * 86_400_000).describe("How long the trash keeps files and folders."),
    maxUploadSize: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe("The largest file, in bytes. Default: no limit."),
    caseInsensitive: z
      .boolean()
      .optional()
      .describe(
        "Whether the NAS takes `a` and `A` for the same name, as Windows shares do. Default: true for `smb://`, else false.",
      ),
    windowsNames: z
      .boolean()
      .optional()
      .describe("Whether names that Windows refuses are refused. Default: true for `smb://`, else false."),
  })
  .describe("Files, folders and their way to the NAS. `false`: without it.");

const NAS_EXAMPLE =
  "smb://user:password@host/share/path, sftp://user@host/path?key=…&hostKey=SHA256:…, webdavs://user@host/path?passwordEnv=…";
const S3_EXAMPLE = "s3://bucket/prefix?endpoint=…&region=…";

const shared = {
  cache: folderOr(["s3"], allows(S3_EXAMPLE, S3_EXAMPLE))
    .optional()
    .describe("Where uploaded bytes lie first: `file:<folder>` or `s3://…`. Default: `file:<data>/cache`."),
  nas: folderOr(["smb", "sftp", "webdav", "webdavs"], allows(NAS_EXAMPLE, NAS_EXAMPLE))
    .optional()
    .describe(
      "The NAS: `file:<folder>`, where a share must be mounted, `smb://…`, `sftp://…`, or `webdavs://…`. Default: `file:<data>/nas`.",
    ),
};

/** All settings of the vault. */
export const VAULT_SETTINGS = {
  own,
  shared,
  environment: {
    ANDON_CACHE: { key: "cache", as: "text" },
    ANDON_NAS: { key: "nas", as: "text" },
  },
} as const satisfies AppSettings;

/** The checked settings of the vault, as the host passes them. */
export interface GivenSettings {
  readonly vault?: z.output<typeof own> | undefined;
  readonly cache?: string | undefined;
  readonly nas?: string | undefined;
}
