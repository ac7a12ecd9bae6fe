import { type Allowed, allows } from "@andon/contract";
import * as z from "zod";

/** Schema of a URL whose scheme is one of these; `example` is what a refusal shows. */
export function urlOf(schemes: readonly string[], example: Allowed) {
  return z.string().refine((text) => {
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase() ?? "";
    return schemes.includes(scheme) && URL.canParse(text) && new URL(text).hostname !== "";
  }, example);
}

const FOLDER = /^file:./;

/** `file:<path>` is a folder of this machine, relative or not. */
export const folder = z.string().refine((text) => FOLDER.test(text), allows("file:<folder>", "file:<폴더>"));

/** A folder of this machine, or a URL. */
export function folderOr(schemes: readonly string[], example: Allowed) {
  return z.union([folder, urlOf(schemes, example)]);
}
