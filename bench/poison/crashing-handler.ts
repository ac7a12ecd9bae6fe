/** A handler that takes its process down, however often it is tried. */
export default function crash(): never {
  process.abort();
}
