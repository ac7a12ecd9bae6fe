import { readFile } from "node:fs/promises";
import { StorageError } from "../storage-error.ts";
import type { SmbAddress } from "./smb-url.ts";

/**
 * How smbclient is started. The password is passed in the environment, because every user of the machine can read
 * command lines.
 */
export interface Login {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Seconds that smbclient waits for the answer to one request. */
const LONGEST_REQUEST_S = 20;
/** The user name that servers take for a guest. */
const GUEST = "guest";

/** Reads the credentials again at each login, so that a changed password needs no restart. */
export async function loginOf(address: SmbAddress): Promise<Login> {
  const { host, port, share, isEncrypted, place } = address;
  const { user, domain, password } = await credentialsOf(address);
  if (/[\r\n\0]/.test(password))
    throw refused(place, "a password has one line", "비밀번호는 한 줄이어야 합니다");
  const protection = isEncrypted ? "encrypt" : "sign";
  return {
    args: [
      `//${host}/${share}`,
      ...(port === undefined ? [] : ["--port", port]),
      "--user",
      domain === undefined ? user : `${domain}\\${user}`,
      ...(password === "" ? ["--no-pass"] : []),
      // A guest has no password to sign with.
      ...(password === "" && !isEncrypted ? [] : [`--client-protection=${protection}`]),
      "--timeout",
      String(LONGEST_REQUEST_S),
      "--option=unix charset=UTF-8",
      // At a lower level, smbclient prints nothing about a file that was sent or read.
      "--debuglevel=1",
      "--stderr",
      "--quiet",
    ],
    // smbclient prints times in local time. It gets only these variables, so that it does not see Andon's own secrets.
    env: {
      PATH: process.env.PATH ?? "",
      TZ: "UTC",
      LC_ALL: "C",
      ...(password === "" ? {} : { PASSWD: password }),
    },
  };
}

interface Credentials {
  readonly user: string;
  readonly domain: string | undefined;
  readonly password: string;
}

async function credentialsOf(address: SmbAddress): Promise<Credentials> {
  const { user, domain, password, credentials, passwordEnv, place } = address;
  const inFile = credentials === undefined ? {} : await readCredentials(credentials, place);
  const fromVariable = passwordEnv === undefined ? undefined : process.env[passwordEnv];
  if (passwordEnv !== undefined && fromVariable === undefined) {
    throw refused(place, `the variable ${passwordEnv} is not set`, `변수 ${passwordEnv}이(가) 없습니다`);
  }
  return {
    user: user ?? inFile.username ?? GUEST,
    domain: domain ?? inFile.domain,
    password: password ?? fromVariable ?? inFile.password ?? "",
  };
}

async function readCredentials(file: string, place: string): Promise<Partial<Record<string, string>>> {
  const text = await readFile(file, "utf8").catch((error) => {
    throw refused(place, `the credentials file: ${error.code}`, `인증 정보 파일: ${error.code}`);
  });
  const lines = text.split(/\r?\n/).map((line) => /^\s*(username|password|domain)\s*= ?(.*)$/.exec(line));
  return Object.fromEntries(lines.flatMap((line) => (line ? [[line[1], line[2]]] : [])));
}

function refused(place: string, en: string, ko: string): StorageError {
  return new StorageError("LOGIN", { place, reason: { en, ko } });
}
