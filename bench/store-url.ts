import { join } from "node:path";
import type { ContenderKind, Place } from "./contender.ts";

/** The URL of Andon's store in this place, as a program or a server receives it. */
export function storeUrl(
  store: ContenderKind["store"],
  place: Pick<Place, "folder" | "postgresUrl">,
): string {
  return store === "sqlite" ? `sqlite:${join(place.folder, "andon.db")}` : (place.postgresUrl ?? "");
}
