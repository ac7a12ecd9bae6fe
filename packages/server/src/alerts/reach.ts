import type { Reach } from "@andon/app";
import type { AlertSettings } from "./settings.ts";

/** Which addresses alerts may be sent to. */
export function reachOf(
  { allowPrivateTargets }: Pick<AlertSettings, "allowPrivateTargets">,
  isEmbedded: boolean,
): Reach {
  return { private: allowPrivateTargets === true, loopback: allowPrivateTargets ?? isEmbedded };
}
