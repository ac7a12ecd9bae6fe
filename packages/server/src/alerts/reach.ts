import type { Reach } from "@andon/app";
import type { AlertSettings } from "./settings.ts";

/** The addresses to which alerts may be sent. */
export function reachOf(
  { allowPrivateTargets }: Pick<AlertSettings, "allowPrivateTargets">,
  isEmbedded: boolean,
): Reach {
  return { private: allowPrivateTargets === true, loopback: allowPrivateTargets ?? isEmbedded };
}
