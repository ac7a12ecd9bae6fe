import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExtractFiles, extractFiles } from "./extract-files.ts";
import { textPdf } from "./pdf-file.ts";
import { docxFile } from "./zip-file.ts";

const KOREAN = "똠방각하가 펲시콜라를 마신다. 한글 문서입니다.";
/** `KOREAN` in the encoding of Windows; 똠 and 펲 are not in EUC-KR. */
const CP949 = Buffer.from(
  "8c63b9e6b0a2c7cfb0a120bc84bdc3c4ddb6f3b8a620b8b6bdc5b4d92e20c7d1b1db20b9aebcadc0d4b4cfb4d92e",
  "hex",
);

describe("text of documents", () => {
  let files: ExtractFiles;
  beforeAll(() => {
    files = extractFiles();
  });
  afterAll(() => files.close());
  const text = (bytes: string | Uint8Array, name = "file") => files.run({ task: "text", bytes, name });

  it.each([
    ["UTF-8", Buffer.from(KOREAN), "plain-utf-8", 1],
    ["UTF-8 with a mark", Buffer.from(`\ufeff${KOREAN}`), "plain-utf-8", 1],
    ["UTF-16 LE with a mark", Buffer.from(`\ufeff${KOREAN}`, "utf16le"), "plain-utf-16le", 1],
    ["UTF-16 BE with a mark", Buffer.from(`\ufeff${KOREAN}`, "utf16le").swap16(), "plain-utf-16be", 1],
    ["CP949", CP949, "plain-cp949", 0.9],
  ])("reads Korean in %s", async (_, bytes, method, confidence) => {
    const found = await text(bytes);
    expect(found).toMatchObject({ text: KOREAN, method, language: "ko", characters: KOREAN.length });
    expect(found.confidence).toBeGreaterThanOrEqual(confidence);
    expect(found.confidence).toBeLessThanOrEqual(1);
  });

  it("reads a long CP949 text with characters cut at every buffer's end", async () => {
    const times = 20_000;
    const found = await text(Buffer.concat(Array<Buffer>(times).fill(Buffer.concat([CP949, Buffer.of(10)]))));
    expect(found.text).toBe(`${KOREAN}\n`.repeat(times));
  });

  it("tries the next encoding if a late byte is not valid in the first", async () => {
    const found = await text(Buffer.concat([Buffer.alloc(200_000, "a"), CP949]));
    // The beginning has no sign of Korean, so only the last resort is left, with a low confidence.
    expect(found).toMatchObject({ method: "plain-windows-1252", confidence: 0.5, characters: 200_000 + 46 });
  });

  it("reads accented letters of western Europe without calling them Korean", async () => {
    const found = await text(Buffer.from("Le café déjà vu à l'été, très élégant", "latin1"));
    expect(found).toMatchObject({ text: "Le café déjà vu à l'été, très élégant", confidence: 0.5 });
    expect(found.language).toBeUndefined();
  });

  it("reads a PDF in a Korean font that is not embedded, page by page", async () => {
    const found = await text(textPdf(["안녕하세요 대한민국", "둘째 쪽"], "hangul"));
    expect(found).toMatchObject({
      method: "pdf-text",
      pages: 2,
      language: "ko",
      confidence: 1,
      characters: 16,
    });
    expect(found.text).toBe("안녕하세요 대한민국\n\n둘째 쪽");
  });

  it("counts the pages of a PDF without text, with confidence 0", async () => {
    const found = await text(textPdf(["", "", ""]));
    expect(found).toMatchObject({ pages: 3, confidence: 0 });
    expect(found.text?.trim()).toBe("");
    expect(found.language).toBeUndefined();
  });

  it("reads a DOCX", async () => {
    const found = await text(docxFile(["첫 문단입니다.", "A second paragraph"]), "report.docx");
    expect(found.text?.trim()).toBe("첫 문단입니다.\n\nA second paragraph");
    expect(found).toMatchObject({ method: "docx-text", confidence: 1 });
  });

  it("distinguishes English from Korean", async () => {
    expect((await text("The quick brown fox.")).language).toBe("en");
    expect((await text(textPdf(["Hello world"]))).language).toBe("en");
    expect((await text("서버 API 응답 시간은 200 ms 이하")).language).toBe("ko");
    expect((await text("1234 5678")).language).toBeUndefined();
  });

  it("reads an empty file as empty text", async () => {
    expect(await text("")).toMatchObject({ text: "", characters: 0, confidence: 0 });
  });

  it("refuses what is not text", async () => {
    const bytes = Buffer.from(Array.from({ length: 2_000 }, (_, index) => (index * 37) % 256));
    await expect(text(bytes)).rejects.toMatchObject({ code: "EXTRACT_UNSUPPORTED", irreversible: true });
  });
});
