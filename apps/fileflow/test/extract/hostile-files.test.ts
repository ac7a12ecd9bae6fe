import { afterAll, beforeAll, expect, it } from "vitest";
import { type ExtractFiles, extractFiles } from "./extract-files.ts";
import { bombPdf, encryptedPdf, endlessPdf, textPdf } from "./pdf-file.ts";
import { docxFile, zipFile } from "./zip-file.ts";

const MEGABYTE = 2 ** 20;
const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);

const cutBefore = (bytes: Buffer, mark: string) => bytes.subarray(0, bytes.indexOf(mark));
/** A complete PDF followed by a truncated update of it. */
const updateCutOff = () =>
  Buffer.concat([textPdf(["one"]), cutBefore(textPdf(["another"]), "xref").subarray(9)]);

let files: ExtractFiles;
beforeAll(() => {
  files = extractFiles(2);
});
afterAll(() => files.close());

it.each([
  ["an encrypted PDF", encryptedPdf(), "EXTRACT_ENCRYPTED"],
  ["a PDF that is cut off inside of a page", cutBefore(textPdf(["one", "two"]), "(two)"), "EXTRACT_CORRUPT"],
  ["a PDF that is cut off between objects", cutBefore(textPdf(["one", "two"]), "6 0 obj"), "EXTRACT_CORRUPT"],
  ["a PDF whose update is cut off", updateCutOff(), "EXTRACT_CORRUPT"],
  ["a PDF without objects", Buffer.from("%PDF-1.7\nstartxref\n9\n%%EOF"), "EXTRACT_CORRUPT"],
  ["a DOCX that is cut off", docxFile(lines(50)).subarray(0, -80), "EXTRACT_CORRUPT"],
  ["a DOCX without its main part", zipFile({ "word/other.xml": "<x/>" }), "EXTRACT_CORRUPT"],
  ["a DOCX of broken XML", zipFile({ "word/document.xml": "<w:document" }), "EXTRACT_CORRUPT"],
  ["a DOCX that unpacks to 300 times its size", docxFile(["x".repeat(12 * MEGABYTE)]), "EXTRACT_BOMB"],
  ["an encrypted DOCX", Buffer.from("d0cf11e0a1b11ae1".padEnd(1_200, "0"), "hex"), "EXTRACT_ENCRYPTED"],
])("%s fails with a code", async (_, bytes, code) => {
  const isPdf = bytes.toString("latin1", 0, 4) === "%PDF";
  const wish = files.run({ task: "text", bytes, name: isPdf ? "a.pdf" : "a.docx" });
  await expect(wish).rejects.toMatchObject({ name: "ExtractError", code, irreversible: true });
});

it.each([
  ["with padding after its end", (pdf: Buffer) => Buffer.concat([pdf, Buffer.alloc(100_000)])],
  [
    "with a page of HTML that a server appended",
    (pdf: Buffer) => Buffer.concat([pdf, Buffer.from(`<html>${"x".repeat(10_000)}</html>`)]),
  ],
  ["without %%EOF", (pdf: Buffer) => cutBefore(pdf, "%%EOF")],
  ["without the address of its table", (pdf: Buffer) => cutBefore(pdf, "startxref")],
])("a PDF %s is read", async (_, change) => {
  const wish = files.run({ task: "text", bytes: change(textPdf(["one", "two"])), name: "a.pdf" });
  expect((await wish).text?.split(/\s+/)).toEqual(["one", "two"]);
});

it("a bomb, a loop and healthy files at once: only the first two fail", async () => {
  const parentBefore = process.memoryUsage().rss;
  const bomb = files.run({ task: "text", bytes: bombPdf(600), memoryMb: 256 });
  const loop = files.run({ task: "text", bytes: endlessPdf(), timeoutMs: 1_500, memoryMb: 256 });
  const healthy = [1, 2, 3, 4].map((n) =>
    files.run({ task: "text", bytes: textPdf([`file ${n}`]), memoryMb: 256 }),
  );
  const [bombed, looped, ...done] = await Promise.allSettled([bomb, loop, ...healthy]);
  expect(bombed).toMatchObject({ reason: { code: "EXTRACT_MEMORY", irreversible: true } });
  expect(looped).toMatchObject({ reason: { code: "EXTRACT_TIMEOUT", irreversible: false } });
  expect(done.map((each) => each.status === "fulfilled" && each.value.text)).toEqual(
    [1, 2, 3, 4].map((n) => `file ${n}`),
  );
  expect(process.memoryUsage().rss - parentBefore).toBeLessThan(100 * MEGABYTE);
  expect(files.leftOver()).toEqual([]);
});

it("a zip whose directory understates its content fails, and the next file does not", async () => {
  const honest = docxFile(["x".repeat(40 * MEGABYTE)]);
  const lying = Buffer.from(honest);
  // The size of the last entry, at its offset in the directory record.
  const entry = lying.lastIndexOf("PK\x01\x02");
  lying.writeUInt32LE(1_000, entry + 24);
  const wish = files.run({ task: "text", bytes: lying, mimeType: DOCX, memoryMb: 128 });
  await expect(wish).rejects.toMatchObject({ irreversible: true });
  const after = files.run({ task: "text", bytes: docxFile(["healthy"]), memoryMb: 128 });
  expect((await after).text?.trim()).toBe("healthy");
});
