import { randomBytes } from "node:crypto";
import { link, mkdir, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { AndonError } from "@andon/contract";
import { newToken } from "./secrets.ts";

const FILE = "admin.key";

/** What can stand behind `Authorization: Bearer`. */
const SENDABLE = /^[\x21-\x7e]+$/;

/** The admin token: the one that is given, else the one in the data folder, else a new one that is kept there. */
export async function adminToken(
  dataFolder: string,
  given?: string,
): Promise<{ token: string; made: boolean }> {
  if (given !== undefined) return { token: checked(given, "adminToken"), made: false };
  const file = join(dataFolder, FILE);
  const kept = await read(file);
  if (kept !== undefined) return { token: kept, made: false };
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const made = await keep(file, newToken());
  // Another process may have been first: what lies there now is the key of both.
  const token = await read(file);
  if (token === undefined) throw new Error(`${file} has gone while it was being made`);
  return { token, made };
}

async function read(file: string): Promise<string | undefined> {
  try {
    return checked((await readFile(file, "utf8")).trim(), file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Gives a whole file its name in one step: a crash leaves no half of it, and of two processes one is refused. */
async function keep(file: string, token: string): Promise<boolean> {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    await writeThrough(draft, `${token}\n`);
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeThrough(file: string, text: string): Promise<void> {
  const handle = await open(file, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The message tells how long it is and never what it is. */
function checked(token: string, where: string): string {
  if (SENDABLE.test(token)) return token;
  throw new AndonError("INVALID_OPTION", {
    where,
    option: "the admin token",
    given: token.trim() === "" ? "empty" : `a text of ${token.length} characters`,
    allowed: "visible ASCII characters without spaces",
  });
}
