import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "./free-port.ts";
import { installPackages, onPath } from "./install-packages.ts";
import { runsAsRoot } from "./postgres-binaries.ts";
import { endTree, freezeTree, signalTree } from "./process-tree.ts";

const PROGRAM = "/usr/sbin/apache2";
const MODULES = "/usr/lib/apache2/modules";
const OPENSSL = "openssl";
const SETPRIV = "/usr/bin/setpriv";
const LONGEST_START_MS = 15_000;
/** The user that Apache works as when root starts it. */
const NOBODY = 65_534;

export interface ApacheOptions {
  /** The login scheme. Default: basic. */
  readonly login?: "basic" | "digest";
  /** Uses a certificate that a test authority signed. Default: false. */
  readonly tls?: boolean;
}

export interface WebdavServer {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** The folder served at `url`. */
  readonly folder: string;
  /** The certificate of the test authority, with `tls`. */
  readonly caFile: string;
  /** Includes the login. */
  readonly url: string;
  /** Ends the server and all connections at once, as a crash of the machine would. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** Stops it from answering until `thaw`; connections stay open. */
  freeze(): Promise<void>;
  thaw(): void;
  stop(): Promise<void>;
}

/** Installs Apache if it is missing and installing is possible; otherwise throws one line that says what to install. */
export function ensureApache(): void {
  const isThere = () => existsSync(PROGRAM) && onPath(OPENSSL) !== undefined;
  if (isThere()) return;
  // Not the package `apache2`, which would start a service.
  installPackages("Apache", ["apache2-bin", OPENSSL]);
  if (!isThere()) throw new Error(`No ${PROGRAM}: install Apache (Debian: apache2-bin).`);
}

/** Starts a WebDAV server (Apache with mod_dav) on a free port of this machine. */
export async function startApache({
  login = "basic",
  tls = false,
}: ApacheOptions = {}): Promise<WebdavServer> {
  ensureApache();
  const home = mkdtempSync(join(tmpdir(), "andon-apache-"));
  const [folder, locks] = [join(home, "files"), join(home, "locks")];
  const [user, password] = ["nas user", "p@ss:wörd/"];
  for (const made of [folder, locks]) mkdirSync(made);
  if (runsAsRoot) for (const own of [home, folder, locks]) chownSync(own, NOBODY, NOBODY);
  if (tls) makeCertificate(home);
  writeFileSync(
    join(home, "users"),
    login === "basic" ? basicUser(user, password) : digestUser(user, password),
  );
  const port = await freePort();
  const config = join(home, "apache.conf");
  writeFileSync(config, configOf({ home, port, login, tls }));
  let server = run(config);
  await untilReady(port, home);

  const scheme = tls ? "webdavs" : "webdav";
  const credentials = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  const caFile = join(home, "ca.pem");
  return {
    port,
    user,
    password,
    folder,
    caFile,
    url: `${scheme}://${credentials}@127.0.0.1:${port}/dav/files${tls ? `?ca=${caFile}` : ""}`,
    kill: () => endTree(server, "SIGKILL"),
    async restart() {
      await endTree(server, "SIGKILL");
      server = run(config);
      await untilReady(port, home);
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

interface Config {
  readonly home: string;
  readonly port: number;
  readonly login: "basic" | "digest";
  readonly tls: boolean;
}

function configOf({ home, port, login, tls }: Config): string {
  const loaded = [
    "mpm_event",
    "authn_core",
    "authn_file",
    "authz_core",
    "authz_user",
    "alias",
    "dav",
    "dav_fs",
  ];
  const modules = [...loaded, `auth_${login}`, ...(tls ? ["socache_shmcb", "ssl"] : [])];
  const users = login === "basic" ? "AuthUserFile" : "AuthDigestProvider file\n  AuthUserFile";
  return `ServerRoot "${home}"
ServerName 127.0.0.1
Listen 127.0.0.1:${port}
PidFile "${home}/pid"
Mutex file:${home}/locks
DefaultRuntimeDir "${home}/locks"
ErrorLog "${home}/error.log"
${modules.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`).join("\n")}
${runsAsRoot ? `User #${NOBODY}\nGroup #${NOBODY}` : ""}
StartServers 1
ServerLimit 1
ThreadsPerChild 25
MaxRequestWorkers 25
DavLockDB "${home}/locks/DavLock"
Alias /dav/files "${home}/files"
Redirect 307 /elsewhere http://localhost:${port}/dav/files
Redirect 307 /moved /dav/files
${tls ? `SSLEngine on\nSSLCertificateFile "${home}/server.pem"\nSSLCertificateKeyFile "${home}/server.key"` : ""}
<Location />
  AuthType ${login}
  AuthName "nas"
  ${users} "${home}/users"
  Require valid-user
</Location>
<Directory "${home}/files">
  Dav On
  Options None
  AllowOverride None
</Directory>
`;
}

/** The line of a password file, hashed here so that no `htpasswd` program is needed. */
function basicUser(user: string, password: string): string {
  return `${user}:{SHA}${createHash("sha1").update(password).digest("base64")}\n`;
}

function digestUser(user: string, password: string): string {
  return `${user}:nas:${createHash("md5").update(`${user}:nas:${password}`).digest("hex")}\n`;
}

function makeCertificate(home: string): void {
  const steps = [
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=test-ca -keyout ca.key -out ca.pem",
    "req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=nas -keyout server.key -out server.csr",
    "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.pem",
  ];
  writeFileSync(join(home, "names"), "subjectAltName=IP:127.0.0.1\n");
  for (const step of steps) {
    const { status, stderr } = spawnSync(OPENSSL, step.split(" "), { cwd: home, encoding: "utf8" });
    if (status !== 0) throw new Error(`${OPENSSL}: ${stderr}`);
  }
}

function run(config: string): ChildProcess {
  const args = ["-X", "-f", config];
  const isTied = existsSync(SETPRIV);
  return spawn(isTied ? SETPRIV : PROGRAM, isTied ? ["--pdeathsig", "KILL", PROGRAM, ...args] : args, {
    stdio: "ignore",
  });
}

async function untilReady(port: number, home: string): Promise<void> {
  const deadline = Date.now() + LONGEST_START_MS;
  while (!(await listens(port))) {
    if (Date.now() > deadline) {
      throw new Error(`${PROGRAM} did not answer within ${LONGEST_START_MS} ms: see ${home}/error.log`);
    }
    await wait(20);
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true));
    socket.once("connect", () => socket.destroy());
    socket.once("error", () => resolve(false));
  });
}
