import type { ReadinessCheck } from "@andon/app";
import type { Language } from "@andon/contract";
import type { Storage } from "@andon/storage";
import type { VaultContext } from "../vault-context.ts";

type PlacesKnown = Pick<VaultContext, "cache" | "nas" | "settings">;

/** The readiness checks of the places that the vault needs. */
export async function placesReady({ cache, nas, settings }: PlacesKnown): Promise<ReadinessCheck[]> {
  const { language } = settings;
  return Promise.all([checkOf("cache", cache, language), checkOf("nas", nas, language)]);
}

async function checkOf(name: string, place: Storage, language: Language): Promise<ReadinessCheck> {
  const health = await place.health();
  if (health.ok) return { name, ok: true, problem: null };
  const { problem } = health;
  return { name, ok: false, problem: problem.in(language), code: problem.code };
}
