import { createHash } from "node:crypto";
import type { AuditRow } from "@andon/contract";

/** The previous hash of the chain's first row. */
export const GENESIS = "0".repeat(64);

/** The members that a row's hash covers, in this order. Exported so that other programs can verify the chain. */
export const HASHED = ["id", "actor", "at", "action", "target", "reason", "before", "after"] as const;

/** SHA-256, in hex, of the previous row's hash, a line break, and the row's members as a canonical JSON array. */
export function auditHash(previous: string, row: AuditRow): string {
  const members = HASHED.map((name) => row[name] ?? null);
  return createHash("sha256")
    .update(`${previous}\n${JSON.stringify(members.map(canonical))}`)
    .digest("hex");
}

/** Sorts the keys of every object: a database or a program may have reordered them. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, canonical(member)]));
}
