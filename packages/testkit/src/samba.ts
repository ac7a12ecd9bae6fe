import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "./free-port.ts";
import { installPackages, onPath } from "./install-packages.ts";
import { runsAsRoot } from "./postgres-binaries.ts";

const PACKAGES = ["samba", "smbclient"];
const PROGRAMS = ["smbd", "smbpasswd", "smbclient"];
const SETPRIV = "/usr/bin/setpriv";
const LONGEST_START_MS = 30_000;
const SHARE = "files";
const PASSWORD = "pass,word%1";

export interface SambaServer {
  /** The address of the share, with user and password. */
  readonly url: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** The folder that the share serves. Its files belong to the user. */
  readonly folder: string;
  /** Ends it at once with all its connections, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again on the same port, with the same files. */
  restart(): Promise<void>;
  /** Stops it from answering until `thaw`; connections stay open. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

/**
 * Installs Samba and its client if they are missing and installing is possible; otherwise throws one line that says
 * what to install.
 */
export function ensureSamba(): void {
  const missing = () => PROGRAMS.filter((program) => onPath(program) === undefined);
  if (missing().length === 0) return;
  installPackages("Samba", PACKAGES);
  if (missing().length > 0) throw new Error(`No ${missing().join(", ")}: install ${PACKAGES.join(" and ")}.`);
}

/** Additional lines for the section of the share, or of the server, in the syntax of smb.conf. */
export interface SambaOptions {
  readonly share?: Readonly<Record<string, string>>;
  readonly server?: Readonly<Record<string, string>>;
}

/**
 * Starts a Samba server with one share on a free port of this machine. It ends with this process if the system supports
 * that.
 */
export async function startSamba(options: SambaOptions = {}): Promise<SambaServer> {
  ensureSamba();
  const home = mkdtempSync(join(tmpdir(), "andon-samba-"));
  const port = await freePort();
  // If root runs the server, its sessions run as `nobody`, so that permissions count, as on a NAS.
  const user = runsAsRoot ? "nobody" : userInfo().username;
  const folder = join(home, "share");
  const config = writeConfig(home, folder, port, options);
  const given = spawnSync("smbpasswd", ["-c", config, "-a", "-s", user], {
    input: `${PASSWORD}\n${PASSWORD}\n`,
    encoding: "utf8",
  });
  if (given.status !== 0) throw new Error(`smbpasswd: ${given.stderr}`);
  let server = run(config);
  await untilListening(port);
  return {
    url: `smb://${user}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${SHARE}`,
    port,
    user,
    password: PASSWORD,
    folder,
    kill: () => end(server, "SIGKILL"),
    async restart() {
      await end(server, "SIGKILL");
      server = run(config);
      await untilListening(port);
    },
    freeze: () => toAll(server, "SIGSTOP"),
    thaw: () => toAll(server, "SIGCONT"),
    async stop() {
      toAll(server, "SIGCONT");
      await end(server, "SIGKILL");
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function writeConfig(home: string, folder: string, port: number, options: SambaOptions): string {
  chmodSync(home, 0o755);
  mkdirSync(folder);
  if (runsAsRoot) chownSync(folder, 65534, 65534);
  const own = (name: string) => {
    const path = join(home, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const server = {
    "server role": "standalone server",
    "bind interfaces only": "yes",
    interfaces: "127.0.0.1",
    "smb ports": String(port),
    "private dir": own("private"),
    "lock directory": own("lock"),
    "state directory": own("state"),
    "cache directory": own("cache"),
    "pid directory": own("pid"),
    "ncalrpc dir": own("ncalrpc"),
    "log file": join(home, "smbd.log"),
    "passdb backend": `tdbsam:${join(home, "passdb.tdb")}`,
    "disable spoolss": "yes",
    "load printers": "no",
    "printcap name": "/dev/null",
    "map to guest": "Bad User",
    ...options.server,
  };
  const share = { path: folder, "read only": "no", ...options.share };
  const lines = (section: Readonly<Record<string, string>>) =>
    Object.entries(section).map(([key, value]) => `  ${key} = ${value}`);
  const config = join(home, "smb.conf");
  writeFileSync(config, ["[global]", ...lines(server), `[${SHARE}]`, ...lines(share), ""].join("\n"));
  return config;
}

/** In its own process group, so that the processes of its connections end with it. */
function run(config: string): ChildProcess {
  const args = ["-F", "--no-process-group", "-s", config];
  const isTied = existsSync(SETPRIV);
  return spawn(isTied ? SETPRIV : "smbd", isTied ? ["--pdeathsig", "KILL", "smbd", ...args] : args, {
    stdio: "ignore",
    detached: true,
  });
}

function toAll(server: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-(server.pid as number), signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const gone =
    server.exitCode === null && server.signalCode === null
      ? new Promise((resolve) => server.once("exit", resolve))
      : undefined;
  toAll(server, signal);
  await gone;
}

async function untilListening(port: number): Promise<void> {
  const deadline = Date.now() + LONGEST_START_MS;
  while (!(await answers(port))) {
    if (Date.now() > deadline) throw new Error(`smbd did not listen within ${LONGEST_START_MS} ms`);
    await wait(20);
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("close", () => socket.destroy());
    socket.once("connect", () => socket.destroy());
  });
}
