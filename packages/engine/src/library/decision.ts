import { AndonError, type Decision, type Localised } from "@andon/contract";
import { checkedText, LONGEST_NAME, refused } from "./checked-argument.ts";

const WHERE: Localised = { en: "the decision", ko: "결정" };
const LONGEST_ACTOR = 1_000;
/** In bytes: the 2,000 characters that a request may have, of three bytes each at the most. */
const LONGEST_REASON = 6_000;

/** A decision about more than jobs of one tenant: whoever is limited to one may not make it. */
export function wholeDecision(decision: Decision): Decision {
  if (checkedDecision(decision).tenant) throw new AndonError("SCOPE_TOO_NARROW");
  return decision;
}

/** A decision that names who decides. The audit log hashes these texts, so they must come back as they were given. */
export function checkedDecision(decision: Decision): Decision {
  const { actor, reason, tenant } = decision ?? {};
  if (typeof actor !== "string" || actor.trim() === "")
    refused(WHERE, "actor", actor, { en: "who decides", ko: "결정하는 사람" });
  checkedText(WHERE, "actor", actor, LONGEST_ACTOR);
  if ((reason ?? "") !== "") checkedText(WHERE, "reason", reason, LONGEST_REASON);
  if ((tenant ?? undefined) !== undefined) checkedText(WHERE, "tenant", tenant, LONGEST_NAME);
  return decision;
}
