import { AndonError, type Decision } from "@andon/contract";

/** A decision about more than jobs of one tenant: whoever is limited to one may not make it. */
export function wholeDecision(decision: Decision): Decision {
  if (checkedDecision(decision).tenant) throw new AndonError("SCOPE_TOO_NARROW");
  return decision;
}

/** A decision that names who decides. */
export function checkedDecision(decision: Decision): Decision {
  if (typeof decision?.actor === "string" && decision.actor.trim() !== "") return decision;
  throw new AndonError("INVALID_OPTION", {
    where: "the decision",
    option: "actor",
    given: JSON.stringify(decision?.actor) ?? "missing",
    allowed: "who decides",
  });
}
