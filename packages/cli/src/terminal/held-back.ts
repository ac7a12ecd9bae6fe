import { WORDS } from "../i18n/words.ts";
import type { Output } from "./output.ts";
import { localTime } from "./times.ts";

/** A held-back decision, as answers contain it. */
interface Held {
  readonly jobId: string;
  readonly appliesAt: string;
}

/** When a held-back decision will be applied, and how to undo it until then. */
export function heldBackText({ jobId, appliesAt }: Held, out: Output): string {
  return out.say(WORDS.heldBack, { at: localTime(appliesAt), job: jobId });
}
