import { readFile } from "node:fs/promises";
import type { Localized } from "@andon/contract";
import type { Client, ConnectConfig, SFTPWrapper } from "ssh2";
import { StorageError } from "../storage-error.ts";
import type { HostKeyCheck } from "./host-key.ts";
import { errno, lostConnection } from "./sftp-errno.ts";
import type { SftpAddress } from "./sftp-url.ts";

/** Connects, checks the host key, logs in, and opens the SFTP channel. */
export function loggedIn(
  client: Client,
  config: ConnectConfig,
  check: HostKeyCheck,
  { place, password = "" }: SftpAddress,
  signal: AbortSignal,
): Promise<SFTPWrapper> {
  return new Promise((resolve, reject) => {
    let refusal: StorageError | undefined;
    const hostVerifier = (key: Buffer) => {
      const reason = check.problemOf(key);
      if (reason) refusal = new StorageError("UNTRUSTED", { place, reason });
      return reason === undefined;
    };
    const late = setTimeout(() => reject(errno("ETIMEDOUT", "no answer to the login")), config.readyTimeout);
    const giveUp = () => fail(lostConnection());
    const settled = () => {
      clearTimeout(late);
      signal.removeEventListener("abort", giveUp);
      client.removeAllListeners();
    };
    const fail = (error: Error) => {
      settled();
      reject(refusal ?? error);
    };
    if (signal.aborted) return giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    client.on("error", fail).on("close", () => fail(lostConnection()));
    // Some servers accept a password only as an answer to a prompt.
    client.on("keyboard-interactive", (_name, _instructions, _language, prompts, finish) =>
      finish(prompts.map(() => password)),
    );
    client.on("ready", () => {
      // Each request is a small packet that must not wait for the next.
      client.setNoDelay(true);
      client.sftp((error, sftp) => {
        if (error) return fail(noSftp(place, error));
        settled();
        resolve(sftp);
      });
    });
    const types = check.types as NonNullable<ConnectConfig["algorithms"]>["serverHostKey"];
    const algorithms = types ? { algorithms: { serverHostKey: types } } : {};
    try {
      client.connect({ ...config, ...algorithms, hostVerifier });
    } catch (error) {
      fail(loginProblem(place, (error as Error).message));
    }
  });
}

export async function configOf(
  address: SftpAddress,
  { connectMs }: { connectMs: number },
): Promise<ConnectConfig> {
  const { host, port, user, password, key, passphrase, place } = address;
  const privateKey =
    key &&
    (await readFile(key).catch((error) => {
      throw loginProblem(place, `the key cannot be read: ${error.message}`);
    }));
  const agent = process.env.SSH_AUTH_SOCK;
  return {
    host,
    port,
    username: user,
    readyTimeout: connectMs,
    keepaliveInterval: 10_000,
    keepaliveCountMax: 3,
    ...(password === undefined ? {} : { password, tryKeyboard: true }),
    ...(privateKey ? { privateKey } : {}),
    ...(passphrase === undefined ? {} : { passphrase }),
    ...(agent && !privateKey && password === undefined ? { agent } : {}),
  };
}

function loginProblem(place: string, reason: string): StorageError {
  return new StorageError("LOGIN", { place, reason });
}

function noSftp(place: string, cause: Error): StorageError {
  const reason: Localized = {
    en: `the server lets us in but offers no SFTP (${cause.message})`,
    ko: `서버에 로그인했지만 SFTP를 제공하지 않습니다(${cause.message})`,
  };
  return new StorageError("NOT_SUPPORTED", { place, reason }, { cause });
}
