import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { AndonError } from "@andon/contract";
import { FolderStorage } from "./folder/folder-storage.ts";
import type { Storage } from "./storage.ts";

export interface OpenStorageOptions {
  /**
   * Whether the place must carry the marker `.andon-nas` in its root, as a share must that may be unmounted. Default: false.
   */
  readonly marker?: boolean;
  /** Whether only what is there already is looked at: a folder that is missing is not made. Default: false. */
  readonly existing?: boolean;
}

/** Which names a kind of place takes, whatever server it is. */
export interface PlaceNames {
  /** Whether `a` and `A` are the same name. */
  readonly caseInsensitive: boolean;
  /** Whether it refuses the names that Windows refuses. */
  readonly windowsNames: boolean;
}

interface Driver {
  readonly form: string;
  /** Undefined: as each server likes. */
  readonly names?: PlaceNames;
  readonly open: (url: string, options: Required<OpenStorageOptions>) => Promise<Storage>;
}

const WEBDAV: Driver = {
  form: "webdavs://<user>:<password>@<host>/<path>",
  open: async (url, options) => (await import("./webdav/webdav-storage.ts")).openWebdav(url, options),
};

/** A driver with large libraries is loaded when it is used. */
const DRIVERS: Record<string, Driver> = {
  file: { form: "file:<folder>", open: (url, options) => FolderStorage.open(folderOf(url), options) },
  s3: {
    form: "s3://<bucket>/<prefix>",
    open: async (url) => (await import("./s3/s3-storage.ts")).openS3(url),
  },
  sftp: {
    form: "sftp://<user>@<host>/<path>",
    open: async (url, options) => (await import("./sftp/sftp-storage.ts")).openSftp(url, options),
  },
  webdav: WEBDAV,
  webdavs: WEBDAV,
  smb: {
    form: "smb://<user>:<password>@<host>/<share>/<path>",
    names: { caseInsensitive: true, windowsNames: true },
    open: async (url, options) => (await import("./smb/smb-storage.ts")).openSmb(url, options),
  },
};

/** Opens the place that an address names. Nothing is asked of the place itself: it may be away, and come back. */
export async function openStorage(url: string, options: OpenStorageOptions = {}): Promise<Storage> {
  const scheme = schemeOf(url);
  const driver = driverOf(url);
  if (!driver) {
    const forms = new Set(Object.values(DRIVERS).map(({ form }) => form));
    // An address may hold a password, so no more of it than its scheme is repeated.
    throw new AndonError("STORAGE_URL", {
      given: scheme ? `${scheme}:…` : "…",
      hint: `${[...forms].join(", ")}.`,
    });
  }
  return await driver.open(url, { marker: options.marker ?? false, existing: options.existing ?? false });
}

/** What names the place at an address takes, where its kind says so. */
export function placeNames(url: string): PlaceNames {
  return driverOf(url)?.names ?? { caseInsensitive: false, windowsNames: false };
}

function driverOf(url: string): Driver | undefined {
  const scheme = schemeOf(url);
  return Object.hasOwn(DRIVERS, scheme) ? DRIVERS[scheme] : undefined;
}

function schemeOf(url: string): string {
  return /^([a-z][a-z0-9+.-]+):/i.exec(url)?.[1]?.toLowerCase() ?? "";
}

/** Servers that one logs in to, by scheme, and the port that an address need not name. */
const WITH_LOGIN: Record<string, string> = {
  "smb:": "445",
  "sftp:": "22",
  "webdav:": "80",
  "webdavs:": "443",
};

/**
 * One text for a place, however its address is written: an extra slash, `.` and `..`, or a path from where we started name
 * no other place.
 */
export function addressOf(url: string): string {
  if (/^file:/i.test(url)) return `file:${resolve(folderOf(`file:${url.slice("file:".length)}`))}`;
  if (!URL.canParse(url)) return url;
  const address = new URL(url);
  address.pathname = address.pathname.replace(/\/+/g, "/").replace(/\/$/, "");
  // How one logs in, and how the server is known, are no part of where it is.
  const usualPort = WITH_LOGIN[address.protocol];
  if (usualPort !== undefined) {
    const { protocol, hostname, port, pathname } = address;
    const host = hostname.toLowerCase();
    return `${protocol}//${host}${port === "" || port === usualPort ? "" : `:${port}`}${pathname}`;
  }
  address.searchParams.sort();
  return address.href;
}

/** `file:data/nas` and `file:/mnt/nas` hold a plain path; `file:///mnt/my%20nas` is a URL. */
function folderOf(url: string): string {
  const path = url.slice("file:".length);
  if (path.startsWith("//")) return fileURLToPath(url);
  if (path === "") throw new AndonError("STORAGE_URL", { given: url, hint: "file:<folder>." });
  return path;
}
