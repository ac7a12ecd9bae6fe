import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Listed, Storage } from "@andon/storage";

export function sha256(bytes: string | Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

export function known(bytes: string | Buffer) {
  return { size: Buffer.byteLength(bytes), sha256: sha256(bytes) };
}

export async function put(storage: Storage, path: string, bytes: string | Buffer, temporary = "job-1") {
  return await storage.put(path, sourceOf(bytes), { ...known(bytes), temporary });
}

export function sourceOf(bytes: string | Buffer): Readable {
  return Readable.from(Buffer.byteLength(bytes) === 0 ? [] : [Buffer.from(bytes)]);
}

export async function read(storage: Storage, path: string, range?: { start: number; end: number }) {
  const { stream } = await storage.get(path, { range });
  return (await buffer(stream)).toString();
}

export async function listed(storage: Storage, folder = ""): Promise<Listed[]> {
  const found: Listed[] = [];
  for await (const entry of storage.list(folder, { recursive: true })) found.push(entry);
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The paths of all files, unfinished ones included. */
export async function filesIn(storage: Storage, folder = ""): Promise<string[]> {
  const found = await listed(storage, folder);
  return found
    .filter(({ kind, path }) => kind === "file" || (kind === "own" && path !== ".andon-nas"))
    .map(({ path }) => path);
}

/** A promise, and the function that resolves it. */
export function gate() {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** A source that pauses in the middle until `goOn` is called. */
export function halting(first: Buffer, rest: Buffer) {
  const [half, goOn] = [gate(), gate()];
  const pieces = async function* () {
    yield first;
    half.open();
    await goOn.opened;
    yield rest;
  };
  return { source: Readable.from(pieces()), half: half.opened, goOn: goOn.open };
}

export async function failureOf(
  work: Promise<unknown>,
): Promise<{ code?: string; fault?: string; message?: string }> {
  try {
    await work;
  } catch (error) {
    return error as { code: string };
  }
  return { message: "it did not fail" };
}
