import type { ByteRange, Bytes } from "@andon/engine";
import type { FastifyReply, FastifyRequest } from "fastify";

/** The first range of a Range header, if it is one that we understand; others mean all of it. */
export function rangeOf(request: FastifyRequest): ByteRange | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(request.headers.range ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return undefined;
  return {
    ...(match[1] === "" ? {} : { start: Number(match[1]) }),
    ...(match[2] === "" ? {} : { end: Number(match[2]) }),
  };
}

/** Bytes are always a download: a browser never shows a stored file as a page of ours. */
export function sendBytes(reply: FastifyReply, bytes: Bytes): FastifyReply {
  const { part, size } = bytes;
  reply
    .code(part ? 206 : 200)
    .type(bytes.mimeType)
    .header("content-length", part ? part.end - part.start + 1 : size)
    .header("accept-ranges", "bytes")
    .header("etag", `"${bytes.tag}"`)
    .header("content-disposition", `attachment; filename*=UTF-8''${encoded(bytes.fileName)}`);
  if (part) reply.header("content-range", `bytes ${part.start}-${part.end}/${size}`);
  return reply.send(bytes.stream);
}

/** RFC 8187: what encodeURIComponent leaves and a header must not have. */
function encoded(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
