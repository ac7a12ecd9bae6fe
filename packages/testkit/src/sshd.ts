import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "./free-port.ts";
import { installPackages, onPath } from "./install-packages.ts";
import { runsAsRoot } from "./postgres-binaries.ts";
import { endTree, freezeTree, signalTree } from "./process-tree.ts";

const PROGRAM = "/usr/sbin/sshd";
const KEYGEN = "ssh-keygen";
const SETPRIV = "/usr/bin/setpriv";
/** The folder to which sshd restricts itself before a login, when it runs as root. */
const EMPTY_FOLDER = "/run/sshd";
const LONGEST_START_MS = 15_000;

export interface SftpServer {
  readonly port: number;
  readonly user: string;
  /** The folder served at `url`. */
  readonly folder: string;
  readonly keyFile: string;
  /** The same key, encrypted with `passphrase`. */
  readonly lockedKeyFile: string;
  readonly passphrase: string;
  /** `SHA256:…`, the form used in an address. */
  readonly hostKey: string;
  /** The line for a `known_hosts` file. */
  readonly knownHost: string;
  /** Includes the login and the host key. */
  readonly url: string;
  /** Ends it and every connection at once, as a crash of the machine would. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** Stops it from answering until `thaw`; connections stay open. */
  freeze(): Promise<void>;
  thaw(): void;
  stop(): Promise<void>;
}

/**
 * Installs OpenSSH if it is missing and installing is possible; otherwise throws one line that says what to install.
 */
export function ensureSshd(): void {
  const isThere = () => existsSync(PROGRAM) && onPath(KEYGEN) !== undefined;
  if (isThere()) return;
  installPackages("sshd", ["openssh-server", "openssh-client"]);
  if (!isThere()) throw new Error(`No ${PROGRAM}: install OpenSSH's server (Debian: openssh-server).`);
}

/** Starts an SSH server with SFTP on a free port of this machine, for the user that runs the tests. */
export async function startSshd(): Promise<SftpServer> {
  ensureSshd();
  if (runsAsRoot) mkdirSync(EMPTY_FOLDER, { recursive: true, mode: 0o755 });
  const home = mkdtempSync(join(tmpdir(), "andon-sshd-"));
  const folder = join(home, "files");
  mkdirSync(folder);
  const [hostFile, keyFile, lockedKeyFile] = ["host", "user", "locked"].map((name) => join(home, name)) as [
    string,
    string,
    string,
  ];
  const passphrase = "open sesame";
  makeKey(hostFile, "");
  makeKey(keyFile, "");
  makeKey(lockedKeyFile, passphrase);
  const authorized = [keyFile, lockedKeyFile].map((file) => readFileSync(`${file}.pub`, "utf8")).join("");
  writeFileSync(join(home, "authorized_keys"), authorized);
  const port = await freePort();
  const config = join(home, "sshd_config");
  writeFileSync(config, configOf({ home, hostFile, port }));
  let server = run(config);
  await untilReady(port);

  const user = userInfo().username;
  const hostKey = fingerprintOf(hostFile);
  const [type, key] = readFileSync(`${hostFile}.pub`, "utf8").split(" ");
  return {
    port,
    user,
    folder,
    keyFile,
    lockedKeyFile,
    passphrase,
    hostKey,
    knownHost: `[127.0.0.1]:${port} ${type} ${key}\n`,
    url: `sftp://${user}@127.0.0.1:${port}${folder}?key=${keyFile}&hostKey=${hostKey}`,
    kill: () => endTree(server, "SIGKILL"),
    async restart() {
      await endTree(server, "SIGKILL");
      server = run(config);
      await untilReady(port);
    },
    freeze: () => freezeTree(server),
    thaw: () => signalTree(server, "SIGCONT"),
    async stop() {
      signalTree(server, "SIGCONT");
      await endTree(server, "SIGKILL");
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function configOf({ home, hostFile, port }: { home: string; hostFile: string; port: number }): string {
  const lines = [
    `Port ${port}`,
    "ListenAddress 127.0.0.1",
    `HostKey ${hostFile}`,
    `AuthorizedKeysFile ${join(home, "authorized_keys")}`,
    // Every user may write in the folder of temporary files, which strict modes refuse.
    "StrictModes no",
    "UsePAM no",
    "PasswordAuthentication yes",
    "KbdInteractiveAuthentication no",
    "PermitRootLogin yes",
    "MaxStartups 100",
    "PidFile none",
    "Subsystem sftp internal-sftp",
  ];
  return `${lines.join("\n")}\n`;
}

function makeKey(file: string, passphrase: string): void {
  const args = ["-q", "-t", "ed25519", "-C", "test", "-N", passphrase, "-f", file];
  const { status, stderr } = spawnSync(KEYGEN, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${KEYGEN}: ${stderr}`);
}

function fingerprintOf(file: string): string {
  const { stdout } = spawnSync(KEYGEN, ["-l", "-E", "sha256", "-f", `${file}.pub`], { encoding: "utf8" });
  return stdout.split(" ")[1] ?? "";
}

function run(config: string): ChildProcess {
  const args = ["-D", "-f", config];
  const isTied = existsSync(SETPRIV);
  return spawn(isTied ? SETPRIV : PROGRAM, isTied ? ["--pdeathsig", "KILL", PROGRAM, ...args] : args, {
    stdio: "ignore",
  });
}

async function untilReady(port: number): Promise<void> {
  const deadline = Date.now() + LONGEST_START_MS;
  while (!(await answers(port))) {
    if (Date.now() > deadline) throw new Error(`${PROGRAM} did not answer within ${LONGEST_START_MS} ms`);
    await wait(20);
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("data", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("close", () => resolve(false));
    socket.once("data", () => socket.destroy());
  });
}
