/** A handler that crashes its process at every attempt. */
export default function crash(): never {
  process.abort();
}
