export const SIZE = 256 * 1024;

/** The content of a numbered file, the same in every process. */
export function contentOf(number: number): Buffer {
  return Buffer.alloc(SIZE, `file ${number} `);
}
