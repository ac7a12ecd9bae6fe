import { AndonError } from "@andon/contract";
import type { UploadPart } from "@andon/engine";
import multipart from "@fastify/multipart";
import type { FastifyInstance, FastifyRequest } from "fastify";

const MOST_FIELDS = 20;
const LARGEST_FIELD = 64 * 1024;

/** Uploads are read as they come: their size has no limit here, and nothing of them is kept in memory. */
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

/** The parts of an upload, in the order they come. */
export async function* partsOf(request: FastifyRequest): AsyncGenerator<UploadPart> {
  if (!request.isMultipart()) throw new AndonError("MEDIA_TYPE", { allowed: "multipart/form-data" });
  for await (const part of request.parts({ preservePath: true })) {
    if (part.type === "field") yield { kind: "field", name: part.fieldname, value: String(part.value) };
    else {
      yield {
        kind: "file",
        name: part.fieldname,
        fileName: part.filename,
        mimeType: part.mimetype,
        stream: part.file,
      };
    }
  }
}
