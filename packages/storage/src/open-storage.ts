import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { AndonError } from "@andon/contract";
import { FolderStorage } from "./folder/folder-storage.ts";
import type { Storage } from "./storage.ts";

export interface OpenStorageOptions {
  /**
   * Whether the root must contain the marker `.andon-nas`. Use it for a share that can be unmounted. Default: false.
   */
  readonly marker?: boolean;
  /** Whether to use only what exists: a missing folder is not created. Default: false. */
  readonly existing?: boolean;
}

/** The rules for names that every server of one kind has. */
export interface PlaceNames {
  /** Whether `a` and `A` are the same name. */
  readonly caseInsensitive: boolean;
  /** Whether the place refuses the names that Windows refuses. */
  readonly windowsNames: boolean;
}

interface Driver {
  readonly form: string;
  /** Undefined if each server has its own rules. */
  readonly names?: PlaceNames;
  readonly open: (url: string, options: Required<OpenStorageOptions>) => Promise<Storage>;
}

const WEBDAV: Driver = {
  form: "webdavs://<user>:<password>@<host>/<path>",
  open: async (url, options) => (await import("./webdav/webdav-storage.ts")).openWebdav(url, options),
};

/** Drivers with large libraries are loaded on first use. */
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

/** Opens the place at an address. Does not connect to a server, which may be unreachable for a while. */
export async function openStorage(url: string, options: OpenStorageOptions = {}): Promise<Storage> {
  const scheme = schemeOf(url);
  const driver = driverOf(url);
  if (!driver) {
    const forms = new Set(Object.values(DRIVERS).map(({ form }) => form));
    // An address may contain a password, so the error repeats only its scheme.
    throw new AndonError("STORAGE_URL", {
      given: scheme ? `${scheme}:…` : "…",
      hint: `${[...forms].join(", ")}.`,
    });
  }
  return await driver.open(url, { marker: options.marker ?? false, existing: options.existing ?? false });
}

/** The rules for names of the place at an address. Without rules for its kind, every name is allowed. */
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

/** The schemes of servers with a login, each with its default port. */
const WITH_LOGIN: Record<string, string> = {
  "smb:": "445",
  "sftp:": "22",
  "webdav:": "80",
  "webdavs:": "443",
};

/** The canonical address of a place: an extra slash, `.` and `..`, or a relative path do not make it another place. */
export function addressOf(url: string): string {
  if (/^file:/i.test(url)) return `file:${resolve(folderOf(`file:${url.slice("file:".length)}`))}`;
  if (!URL.canParse(url)) return url;
  const address = new URL(url);
  address.pathname = address.pathname.replace(/\/+/g, "/").replace(/\/$/, "");
  // The login and the host key do not belong to the location.
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
