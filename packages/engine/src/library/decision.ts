import { AndonError, type Decision } from "@andon/contract";

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
