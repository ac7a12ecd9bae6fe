import type { Language } from "@andon/contract";
import type { Part } from "@andon/engine";
import type { Storage } from "@andon/storage";
import type { VaultParts } from "../parts.ts";

type PlacesKnown = Pick<VaultParts, "cache" | "nas" | "settings">;

/** The places that the vault needs, as readiness shows them. */
export async function placesReady({ cache, nas, settings }: PlacesKnown): Promise<Part[]> {
  const { language } = settings;
  return Promise.all([partOf("cache", cache, language), partOf("nas", nas, language)]);
}

async function partOf(name: string, place: Storage, language: Language): Promise<Part> {
  const health = await place.health();
  if (health.ok) return { name, ok: true, problem: null };
  const { problem } = health;
  return { name, ok: false, problem: problem.in(language), code: problem.code };
}
