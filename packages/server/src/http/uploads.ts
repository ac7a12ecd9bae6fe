import type { UploadPart } from "@andon/app";
import { AndonError, type Language, type Route } from "@andon/contract";
import multipart from "@fastify/multipart";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { checkPart } from "./checked-request.ts";

const MOST_FIELDS = 20;
const LARGEST_FIELD = 64 * 1024;

/** Accepts uploads as streams: their size has no limit here, and they are not kept in memory. */
export async function acceptUploads(app: FastifyInstance): Promise<void> {
  await app.register(multipart, {
    limits: {
      fields: MOST_FIELDS,
      fieldSize: LARGEST_FIELD,
      fileSize: Number.POSITIVE_INFINITY,
      parts: MOST_FIELDS * 2,
    },
  });
}

/**
 * The parts of an upload, in the order of arrival. A field of the route's schema is checked before it is returned. An invalid
 * field throws but does not end the iteration: the caller can read a refused upload to its end.
 */
export function partsOf(
  request: FastifyRequest,
  { fields }: Pick<Route, "fields">,
  language: Language,
): AsyncIterableIterator<UploadPart> {
  const parts = readParts(request);
  return {
    async next() {
      const step = await parts.next();
      const part: UploadPart | undefined = step.done ? undefined : step.value;
      if (part?.kind === "field" && fields && Object.hasOwn(fields.shape, part.name))
        checkPart(fields, { [part.name]: part.value }, "body", language);
      return step;
    },
    return: () => parts.return(undefined),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

async function* readParts(request: FastifyRequest): AsyncGenerator<UploadPart, undefined> {
  if (!request.isMultipart()) throw new AndonError("MEDIA_TYPE", { allowed: "multipart/form-data" });
  for await (const part of request.parts({ preservePath: true })) {
    if (part.type === "field") yield { kind: "field", name: part.fieldname, value: String(part.value) };
    else {
      yield {
        kind: "file",
        name: part.fieldname,
        // A part of type application/octet-stream counts as a file, even without a file name.
        fileName: sentName(part.filename ?? ""),
        mimeType: part.mimetype,
        stream: part.file,
      };
    }
  }
}

const ESCAPED: Readonly<Record<string, string>> = { "%22": '"', "%0D": "\r", "%0A": "\n" };

/**
 * The file's name at the sender. Forms escape only the three characters that would end the header (WHATWG, "multipart/form-data
 * encoding algorithm"), not even `%`, so nothing else is decoded.
 */
function sentName(given: string): string {
  return given.replace(/%22|%0D|%0A/g, (escaped) => ESCAPED[escaped] as string);
}
