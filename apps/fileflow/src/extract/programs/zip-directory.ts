import { type FileHandle, open } from "node:fs/promises";
import { extractFailure } from "../extract-failure.ts";

const END = 0x06054b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
const ZIP64 = 0xffffffff;
/** More than a directory of 10,000 entries with long names. */
const LARGEST_DIRECTORY = 4 * 2 ** 20;

export interface ZipEntry {
  readonly name: string;
  readonly compressed: number;
  readonly size: number;
  readonly isEncrypted: boolean;
}

/** The entries of a zip from its central directory, without unpacking. */
export async function readZipDirectory(file: string): Promise<ZipEntry[]> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const tail = await read(handle, Math.max(0, size - END_BYTES - LONGEST_COMMENT), size);
    const end = tail.lastIndexOf(Uint8Array.of(0x50, 0x4b, 0x05, 0x06));
    if (end < 0 || end + END_BYTES > tail.length || tail.readUInt32LE(end) !== END) throw broken();
    const bytes = tail.readUInt32LE(end + 12);
    const start = tail.readUInt32LE(end + 16);
    if (bytes > LARGEST_DIRECTORY) throw extractFailure("EXTRACT_BOMB", "the zip lists too many entries");
    if (start + bytes > size) throw broken();
    return entriesOf(await read(handle, start, start + bytes));
  } finally {
    await handle.close();
  }
}

/** Whether a zip contains the main part of a Word document. */
export async function isDocx(file: string): Promise<boolean> {
  const entries = await readZipDirectory(file).catch(() => []);
  return entries.some(({ name }) => name === "word/document.xml");
}

function entriesOf(directory: Buffer): ZipEntry[] {
  const entries: ZipEntry[] = [];
  for (let at = 0; at < directory.length; ) {
    if (at + ENTRY_BYTES > directory.length || directory.readUInt32LE(at) !== ENTRY) throw broken();
    const nameLength = directory.readUInt16LE(at + 28);
    const compressed = directory.readUInt32LE(at + 20);
    const size = directory.readUInt32LE(at + 24);
    if (size === ZIP64) throw extractFailure("EXTRACT_BOMB", "an entry of the zip unpacks to more than 4 GB");
    entries.push({
      name: directory.toString("utf8", at + ENTRY_BYTES, at + ENTRY_BYTES + nameLength),
      compressed,
      size,
      isEncrypted: (directory.readUInt16LE(at + 8) & 1) === 1,
    });
    at += ENTRY_BYTES + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

async function read(handle: FileHandle, from: number, to: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(to - from), 0, to - from, from);
  return buffer.subarray(0, bytesRead);
}

const broken = () =>
  extractFailure("EXTRACT_CORRUPT", "the zip has no complete directory: it is cut off or damaged");
