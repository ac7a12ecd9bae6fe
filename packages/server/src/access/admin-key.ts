import { randomBytes } from "node:crypto";
import { link, mkdir, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { AndonError } from "@andon/contract";
import { newToken } from "./secrets.ts";

const FILE = "admin.key";

/** The characters that can follow `Authorization: Bearer`. */
const SENDABLE = /^[\x21-\x7e]+$/;

/** The admin token: the given one, else the one in the data folder, else a new one that is stored there. */
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
  // Another process may have created the file first: both use the token that is in it now.
  const token = await read(file);
  if (token === undefined) throw new Error(`${file} was removed while it was being created`);
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

/** Links a complete draft to the file's name: a crash leaves no partial file, and of two processes only one succeeds. */
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

/** The error message contains the length of the token, never the token itself. */
function checked(token: string, where: string): string {
  if (SENDABLE.test(token)) return token;
  throw new AndonError("INVALID_OPTION", {
    where,
    option: "the admin token",
    given: token.trim() === "" ? "empty" : `a text of ${token.length} characters`,
    allowed: "visible ASCII characters without spaces",
  });
}
