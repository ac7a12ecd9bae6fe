import { type Language, languageOf } from "@andon/contract";
import type { FastifyRequest } from "fastify";

export function languageOfRequest(request: FastifyRequest): Language {
  return languageOf(request.headers["accept-language"]);
}
