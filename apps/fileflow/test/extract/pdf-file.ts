import { constants, deflateRawSync, deflateSync } from "node:zlib";

const HANGUL_FONT =
  "<< /Type /Font /Subtype /Type0 /BaseFont /HYSMyeongJo-Medium /Encoding /UniKS-UTF16-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HYSMyeongJo-Medium /CIDSystemInfo << /Registry (Adobe) /Ordering (Korea1) /Supplement 1 >> /FontDescriptor << /Type /FontDescriptor /FontName /HYSMyeongJo-Medium /Flags 6 /FontBBox [0 -120 1000 880] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 700 /StemV 80 >> >>] >>";
const LATIN_FONT = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
const MEGABYTE = 2 ** 20;

interface Content {
  readonly bytes: Buffer;
  /** Entries of the stream's dictionary in addition to its length. */
  readonly filter?: string;
}

/** A PDF with pages of text. `font: "hangul"`: in a Korean font that is not embedded, as in government forms. */
export function textPdf(pages: readonly string[], font: "latin" | "hangul" = "latin"): Buffer {
  return pdfFile(
    pages.map((text) => ({ bytes: Buffer.from(`BT /F1 12 Tf 72 700 Td ${shown(text, font)} Tj ET`) })),
    { font: font === "latin" ? LATIN_FONT : HANGUL_FONT },
  );
}

/** A PDF that opens only with a password. */
export function encryptedPdf(): Buffer {
  const key = "5a".repeat(32);
  return pdfFile([{ bytes: Buffer.from("BT /F1 12 Tf (x) Tj ET") }], {
    font: LATIN_FONT,
    trailer: `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${key}> /U <${key}> /P -4 >> /ID [<00> <00>]`,
  });
}

/** A PDF of a few kilobytes that unpacks to this many megabytes. */
export function bombPdf(megabytes: number): Buffer {
  const bytes = deflateSync(zerosDeflated(megabytes));
  return pdfFile([{ bytes, filter: "/Filter [/FlateDecode /FlateDecode]" }], { font: LATIN_FONT });
}

/** A PDF with a font whose character table takes hours to parse, but little memory. */
export function endlessPdf(): Buffer {
  const map = `begincmap\n1 begincodespacerange <0000> <FFFF> endcodespacerange\n1 beginbfrange\n${"<0000> <FFFF> <0041>\n".repeat(100_000)}endbfrange\nendcmap`;
  const unicode = deflateSync(Buffer.from(map));
  const font =
    "<< /Type /Font /Subtype /Type0 /BaseFont /F /Encoding /Identity-H /ToUnicode 4 0 R /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /F /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor << /Type /FontDescriptor /FontName /F /Flags 4 /FontBBox [0 0 1 1] /ItalicAngle 0 /Ascent 1 /Descent 0 /CapHeight 1 /StemV 1 >> >>] >>";
  return pdfFile([{ bytes: Buffer.from("BT /F1 12 Tf <0041> Tj ET") }], {
    font,
    extra: { bytes: unicode, filter: "/Filter /FlateDecode" },
  });
}

function shown(text: string, font: "latin" | "hangul"): string {
  if (font === "latin") return `(${text})`;
  return `<${Buffer.from(text, "utf16le").swap16().toString("hex")}>`;
}

/** Deflated zeros. The output repeats itself, so it is assembled without compressing all of them. */
function zerosDeflated(megabytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(MEGABYTE), { finishFlush: constants.Z_FULL_FLUSH });
  const checksum = Buffer.alloc(4);
  checksum.writeUInt16BE((megabytes * MEGABYTE) % 65_521, 0);
  checksum.writeUInt16BE(1, 2);
  return Buffer.concat([
    Buffer.of(0x78, 0x9c),
    ...Array<Buffer>(megabytes).fill(block),
    Buffer.of(3, 0),
    checksum,
  ]);
}

function pdfFile(
  pages: readonly Content[],
  { font, trailer = "", extra }: { font: string; trailer?: string; extra?: Content },
): Buffer {
  const first = extra ? 5 : 4;
  const kids = pages.map((_, index) => `${first + 2 * index} 0 R`).join(" ");
  const objects: Buffer[] = [
    Buffer.from("<< /Type /Catalog /Pages 2 0 R >>"),
    Buffer.from(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`),
    Buffer.from(font),
    ...(extra ? [streamOf(extra)] : []),
  ];
  pages.forEach((content, index) => {
    const at = first + 2 * index;
    objects.push(
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${at + 1} 0 R >>`,
      ),
      streamOf(content),
    );
  });
  return withTable(objects, trailer);
}

function streamOf({ bytes, filter = "" }: Content): Buffer {
  const start = `<< /Length ${bytes.length} ${filter} >>\nstream\n`;
  return Buffer.concat([Buffer.from(start), bytes, Buffer.from("\nendstream")]);
}

function withTable(objects: readonly Buffer[], trailer: string): Buffer {
  const parts = [Buffer.from("%PDF-1.7\n")];
  let length = 9;
  const rows = objects.map((object, index) => {
    const whole = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from("\nendobj\n")]);
    const row = `${String(length).padStart(10, "0")} 00000 n \n`;
    parts.push(whole);
    length += whole.length;
    return row;
  });
  const count = objects.length + 1;
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${rows.join("")}`;
  const end = `trailer\n<< /Size ${count} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(table + end)]);
}
