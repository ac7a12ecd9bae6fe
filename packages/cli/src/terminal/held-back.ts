import { WORDS } from "../i18n/words.ts";
import type { Output } from "./output.ts";
import { localTime } from "./times.ts";

/** A decision as answers show it while it is held back. */
interface Held {
  readonly jobId: string;
  readonly appliesAt: string;
}

/** When a decision that is held back will be applied, and how it is called off until then. */
export function heldBackText({ jobId, appliesAt }: Held, out: Output): string {
  return out.say(WORDS.heldBack, { at: localTime(appliesAt), job: jobId });
}
