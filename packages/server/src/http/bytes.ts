import type { Bytes } from "@andon/app";
import { AndonError } from "@andon/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { partOf } from "./byte-range.ts";
import { isKnownBy, isRefusedBy, rangeFor } from "./conditions.ts";

/** Types that a browser or a plugin would run or show as a page, also with parameters or a version after the type. */
const RUNNABLE =
  /(?:^multipart\/|^message\/|[/+](?:x-)?(?:html|xhtml|xml|svg|xsl|mathml|javascript|ecmascript|jscript|livescript|typescript|vbscript|wasm|shockwave-flash|java-archive|mhtml|hta)(?![a-z]))/i;

/** The uploader chooses the type, so a type that could run is not sent to a browser. */
function servedType(mimeType: string): string {
  return RUNNABLE.test(mimeType) ? "application/octet-stream" : mimeType;
}

/** Bytes are always sent as a download, in a sandbox: a browser never shows a stored file as one of our pages, and never runs it. */
export async function sendBytes(
  { headers, method }: FastifyRequest,
  reply: FastifyReply,
  { tag, size, mimeType, fileName, open }: Bytes,
): Promise<FastifyReply> {
  if (isRefusedBy(headers, tag)) throw new AndonError("PRECONDITION_FAILED");
  const etag = `"${tag}"`;
  reply.header("content-security-policy", "sandbox; default-src 'none'; frame-ancestors 'none'");
  if (isKnownBy(headers, tag)) return reply.code(304).header("etag", etag).send();
  const range = method === "GET" ? rangeFor(headers, tag) : undefined;
  const part = range === undefined ? undefined : partOf(range, size);
  const stream = await open(part);
  reply
    .code(part ? 206 : 200)
    .type(servedType(mimeType))
    .header("content-length", part ? part.end - part.start + 1 : size)
    .header("accept-ranges", "bytes")
    .header("etag", etag)
    .header("content-disposition", `attachment; filename*=UTF-8''${encoded(fileName)}`);
  if (part) reply.header("content-range", `bytes ${part.start}-${part.end}/${size}`);
  return reply.send(stream);
}

/** Also encodes the characters that encodeURIComponent leaves and RFC 8187 forbids in a header. */
function encoded(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
