import type { Bytes } from "@andon/app";
import { AndonError } from "@andon/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { partOf } from "./byte-range.ts";
import { isKnownBy, isRefusedBy, rangeFor } from "./conditions.ts";

/** What a browser, or something beside it, runs or reads as a page; also with parameters or a version behind it. */
const RUNNABLE =
  /(?:^multipart\/|^message\/|[/+](?:x-)?(?:html|xhtml|xml|svg|xsl|mathml|javascript|ecmascript|jscript|livescript|typescript|vbscript|wasm|shockwave-flash|java-archive|mhtml|hta)(?![a-z]))/i;

/** Whoever uploads names the type: one that could run is not named to a browser. */
function servedType(mimeType: string): string {
  return RUNNABLE.test(mimeType) ? "application/octet-stream" : mimeType;
}

/** Bytes are always a download, in a sandbox: a browser never shows a stored file as a page of ours, and runs nothing of it. */
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

/** RFC 8187: what encodeURIComponent leaves and a header must not have. */
function encoded(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
