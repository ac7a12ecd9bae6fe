import {
  describeCancel,
  describeCheckpoint,
  describeClosing,
  describeComplete,
  describeLostClaim,
  describeProgress,
  describeRefusedResults,
  describeRegisteringAnew,
  describeRetryBackoff,
  describeRulesThatDiffer,
  describeSeveralQueues,
  describeStartingLate,
  describeTimeout,
} from "@andon/testkit/conformance";
import { STORE_KINDS } from "./store-kinds.ts";

describeComplete(STORE_KINDS);
describeRetryBackoff(STORE_KINDS);
describeTimeout(STORE_KINDS);
describeCancel(STORE_KINDS);
describeLostClaim(STORE_KINDS);
describeCheckpoint(STORE_KINDS);
describeProgress(STORE_KINDS);
describeRefusedResults(STORE_KINDS);
describeRegisteringAnew(STORE_KINDS);
describeRulesThatDiffer(STORE_KINDS);
describeSeveralQueues(STORE_KINDS);
describeStartingLate(STORE_KINDS);
describeClosing(STORE_KINDS);
