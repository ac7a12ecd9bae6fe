// Gives a TrueType font its own `name` table: browsers refuse a font without one, and the original's contains a reserved name.

const HEADER_BYTES = 12;
const RECORD_BYTES = 16;
/** Platform Windows, encoding Unicode, language US English. */
const PLATFORM = [3, 1, 0x409];

/** The font with these names, by their id in the `name` table. */
export function withNames(font, names) {
  const count = font.readUInt16BE(4);
  const tables = Array.from({ length: count }, (_, index) => {
    const at = HEADER_BYTES + index * RECORD_BYTES;
    const [offset, length] = [font.readUInt32BE(at + 8), font.readUInt32BE(at + 12)];
    return {
      tag: font.toString("latin1", at, at + 4),
      sum: font.readUInt32BE(at + 4),
      bytes: font.subarray(offset, offset + length),
    };
  });
  const renamed = tables.map((table) =>
    table.tag === "name" ? { ...table, bytes: nameTable(names), sum: 0 } : table,
  );
  const head = Buffer.alloc(HEADER_BYTES + count * RECORD_BYTES);
  font.copy(head, 0, 0, HEADER_BYTES);
  const parts = [head];
  let offset = head.length;
  for (const [index, { tag, sum, bytes }] of renamed.entries()) {
    const at = HEADER_BYTES + index * RECORD_BYTES;
    head.write(tag, at, "latin1");
    head.writeUInt32BE(sum, at + 4);
    head.writeUInt32BE(offset, at + 8);
    head.writeUInt32BE(bytes.length, at + 12);
    const padding = (4 - (bytes.length % 4)) % 4;
    parts.push(bytes, Buffer.alloc(padding));
    offset += bytes.length + padding;
  }
  return Buffer.concat(parts);
}

function nameTable(names) {
  const entries = Object.entries(names).map(([id, text]) => [
    Number(id),
    Buffer.from(text, "utf16le").swap16(),
  ]);
  const head = Buffer.alloc(6 + entries.length * 12);
  head.writeUInt16BE(entries.length, 2);
  head.writeUInt16BE(head.length, 4);
  let offset = 0;
  for (const [index, [id, text]] of entries.entries()) {
    const fields = [...PLATFORM, id, text.length, offset];
    for (const [place, value] of fields.entries()) head.writeUInt16BE(value, 6 + index * 12 + place * 2);
    offset += text.length;
  }
  return Buffer.concat([head, ...entries.map(([, text]) => text)]);
}
