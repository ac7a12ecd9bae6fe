import { FOUND } from "../i18n/doctor.ts";
import type { Finding } from "./check.ts";

const MB = 1024 * 1024;
const LITTLE = 1024 * MB;
const TOO_LITTLE = 100 * MB;

/** The finding about the free space of a place. */
export function freeSpace(bytes: number, place: string): Finding {
  const facts = { free: shown(bytes), place };
  if (bytes >= LITTLE) return { level: "ok", what: FOUND.diskGood, facts };
  return { level: bytes < TOO_LITTLE ? "bad" : "warn", what: FOUND.diskLow, facts, todo: FOUND.diskTodo };
}

function shown(bytes: number): string {
  return bytes < 10 * LITTLE ? `${Math.floor(bytes / MB)} MB` : `${Math.floor(bytes / LITTLE)} GB`;
}
