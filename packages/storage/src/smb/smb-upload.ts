import type { Share } from "./share.ts";
import { failureIn, SmbError } from "./smb-error.ts";
import { spawnSmbclient, startFault } from "./smbclient-session.ts";

/**
 * Streams bytes into a file, with a separate process. Its command must be an argument: a session whose `put` has failed
 * would read the rest of the bytes as commands, and `!` runs a program. In an argument, `;` separates commands even
 * within quotes, so the folder is passed separately, and the file name must be one of this program's temporary names.
 */
export async function uploadToShare(
  share: Share,
  folder: readonly string[],
  temporary: string,
  pieces: AsyncIterable<Buffer>,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (!/^[\w.-]+$/.test(temporary)) throw new Error("the name of a temporary file must not need quotes");
  const { login, folder: local } = await share.sessions.prepare();
  const command = ["--directory", share.folderArgument(folder), "--command", `put - ${temporary}`];
  const child = spawnSmbclient(login, local, command);
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  child.stdout.resume();
  const ended = new Promise<void>((resolve, reject) => {
    child.once("error", (error) => reject(startFault(error, share.place)));
    child.once("close", () => {
      const failure = failureOf(said);
      if (failure) reject(failure);
      else resolve();
    });
  });
  ended.catch(() => {});
  const abort = () => child.kill("SIGKILL");
  signal?.addEventListener("abort", abort, { once: true });
  // A process that has ended reads nothing; its output contains the reason.
  child.stdin.on("error", () => {});
  try {
    for await (const piece of pieces) {
      if (!child.stdin.write(piece)) await Promise.race([roomIn(child.stdin), ended]);
    }
    child.stdin.end();
    await ended;
  } catch (error) {
    abort();
    // The process keeps the file open until it has ended.
    await ended.catch(() => {});
    throw error;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

function roomIn(input: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => {
    input.once("drain", resolve);
  });
}

/**
 * The output `putting file …` alone is a success. For a missing folder, the line contains the folder's name before the
 * status.
 */
function failureOf(said: string): SmbError | undefined {
  const lines = said.split("\n").filter((line) => line !== "");
  const [, status] = /^cd \\.*: (NT_STATUS_\w+)$/m.exec(said) ?? [];
  if (status !== undefined) return new SmbError(status, status);
  const failure = failureIn(lines.filter((line) => !line.startsWith("putting file ")));
  if (failure || lines.length > 0) return failure;
  return new SmbError("NT_STATUS_CONNECTION_DISCONNECTED", "smbclient ended");
}
