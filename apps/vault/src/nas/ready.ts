import type { Part } from "@andon/engine";
import type { Storage } from "@andon/storage";
import type { VaultParts } from "../parts.ts";

/** The places that the vault needs, as readiness shows them. */
export async function placesReady({ cache, nas }: Pick<VaultParts, "cache" | "nas">): Promise<Part[]> {
  return Promise.all([partOf("cache", cache), partOf("nas", nas)]);
}

async function partOf(name: string, place: Storage): Promise<Part> {
  const health = await place.health();
  return { name, ok: health.ok, problem: health.ok ? null : health.problem.message };
}
