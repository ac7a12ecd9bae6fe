import { type Allowed, allows } from "@andon/contract";
import ipaddr from "ipaddr.js";
import * as z from "zod";

/** Schema of a URL whose scheme is one of these; `example` is what a refusal shows. */
export function urlOf(schemes: readonly string[], example: Allowed) {
  return z.string().refine((text) => {
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase() ?? "";
    return schemes.includes(scheme) && URL.canParse(text) && new URL(text).hostname !== "";
  }, example);
}

/** `file:<path>` is a folder of this machine, relative or not. */
export const folder = z.string().refine((text) => FOLDER.test(text), allows("file:<folder>", "file:<폴더>"));

/** A folder of this machine, or a URL. */
export function folderOr(schemes: readonly string[], example: Allowed) {
  return z.union([folder, urlOf(schemes, example)]);
}

const FOLDER = /^file:./;
const POSTGRES = /^postgres(ql)?:\/\//;
const SQLITE = /^sqlite:./;

export const storeAddress = z
  .string()
  .refine(
    (text) => (POSTGRES.test(text) ? URL.canParse(text) : SQLITE.test(text)),
    allows(
      "sqlite:<path>, sqlite::memory: or postgres://…",
      "sqlite:<경로>, sqlite::memory: 또는 postgres://…",
    ),
  );

export const networkAddress = z
  .string()
  .refine(
    (text) => ipaddr.isValid(text) || ipaddr.isValidCIDR(text),
    allows('an IP address or a network such as "10.0.0.0/8"', 'IP 주소 또는 "10.0.0.0/8" 같은 네트워크'),
  );

export function isEmbedded(store: string): boolean {
  return SQLITE.test(store);
}
