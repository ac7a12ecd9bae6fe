import { AndonError, didYouMean } from "@andon/contract";
import type { S3ClientConfig } from "@aws-sdk/client-s3";

export interface S3Address {
  readonly bucket: string;
  /** Precedes every path; has no slash at either end. */
  readonly prefix: string;
  readonly config: S3ClientConfig;
}

/**
 * The options of an address. Keys and secrets are not among them, because addresses are logged, shown and stored in
 * files.
 */
const OPTIONS: Record<string, (value: string) => S3ClientConfig> = {
  endpoint: (endpoint) => ({ endpoint }),
  region: (region) => ({ region }),
  forcePathStyle: (value) => ({ forcePathStyle: value !== "false" }),
};

/** Reads `s3://bucket/prefix?endpoint=…&region=…&forcePathStyle=true`. */
export function parseS3Url(url: string): S3Address {
  const { hostname, pathname, searchParams, username } = new URL(url);
  if (hostname === "" || username !== "") {
    throw new AndonError("STORAGE_URL", {
      given: "s3://…",
      hint: "s3://<bucket>/<prefix>, with the credentials in the AWS environment.",
    });
  }
  let config: S3ClientConfig = {};
  for (const [name, value] of searchParams) {
    const option = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined;
    if (!option) {
      const hint = didYouMean(name, Object.keys(OPTIONS));
      throw new AndonError("UNKNOWN_OPTION", { where: "the S3 address", option: name, hint });
    }
    config = { ...config, ...option(value) };
  }
  const prefix = decodeURIComponent(pathname).replace(/^\/+|\/+$/g, "");
  return { bucket: hostname, prefix, config };
}
