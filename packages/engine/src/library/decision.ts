import { AndonError, type Decision, type Localized } from "@andon/contract";
import { DEFAULT_TENANT, type LaneId, laneId } from "../lanes/lane-id.ts";
import { isNarrow } from "../scope.ts";
import { checkedTenant, checkedText, LONGEST_NAME, refused } from "./checked-argument.ts";

const WHERE: Localized = { en: "the decision", ko: "결정" };
export interface LaneOptions {
  /** The tenant of the lane. Default: `default`. */
  tenant?: string | undefined;
}

const LONGEST_ACTOR = 1_000;
/** In bytes: the 2,000 characters that a request may have, at most three bytes each. */
const LONGEST_REASON = 6_000;

/** A decision that reaches beyond the jobs of one tenant: an actor who is limited to a tenant may not make it. */
export function wholeDecision(decision: Decision): Decision {
  if (isNarrow(checkedDecision(decision))) throw new AndonError("SCOPE_TOO_NARROW");
  return decision;
}

/**
 * The lane of the named tenant, else of the actor's own, else of `default`. Organisations of a tenant share its lanes,
 * so an actor who is limited to one organisation may not decide about a lane.
 */
export function decidedLane(key: string, decision: Decision, options: LaneOptions = {}): LaneId {
  const { tenant: own, organization } = checkedDecision(decision);
  if (organization) throw new AndonError("SCOPE_TOO_NARROW");
  const tenant = options.tenant ?? own ?? DEFAULT_TENANT;
  if (own && tenant !== own) throw new AndonError("PP-403-SCOPE", { given: tenant });
  return laneId(checkedTenant(WHERE, tenant), key);
}

/** A decision that names its actor. The audit log hashes these texts, so the database must return them unchanged. */
export function checkedDecision(decision: Decision): Decision {
  const { actor, reason, tenant, organization, atOnce = false } = decision ?? {};
  if (typeof actor !== "string" || actor.trim() === "")
    refused(WHERE, "actor", actor, { en: "who decides", ko: "결정하는 사람" });
  checkedText(WHERE, "actor", actor, LONGEST_ACTOR);
  if ((reason ?? "") !== "") checkedText(WHERE, "reason", reason, LONGEST_REASON);
  if ((tenant ?? undefined) !== undefined) checkedText(WHERE, "tenant", tenant, LONGEST_NAME);
  if ((organization ?? undefined) !== undefined)
    checkedText(WHERE, "organization", organization, LONGEST_NAME);
  if (typeof atOnce !== "boolean")
    refused(WHERE, "atOnce", atOnce, { en: "true or false", ko: "true 또는 false" });
  return decision;
}
