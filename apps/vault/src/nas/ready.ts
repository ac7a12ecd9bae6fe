import type { Part } from "@andon/engine";
import type { Storage } from "@andon/storage";
import type { VaultParts } from "../parts.ts";

/** The places that the vault needs, as readiness shows them. */
export async function placesReady({ cache, nas }: Pick<VaultParts, "cache" | "nas">): Promise<Part[]> {
  return Promise.all([partOf("cache", cache), partOf("nas", nas)]);
}

async function partOf(name: string, place: Storage): Promise<Part> {
  const health = await place.health();
  if (health.ok) return { name, ok: true, problem: null };
  const { message, code } = health.problem;
  return { name, ok: false, problem: message, code };
}
