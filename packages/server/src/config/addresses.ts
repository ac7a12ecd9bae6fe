import { allows } from "@andon/contract";
import ipaddr from "ipaddr.js";
import * as z from "zod";

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
