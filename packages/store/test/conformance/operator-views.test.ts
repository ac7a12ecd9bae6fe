import {
  describeAuditChain,
  describeFailuresAtAGlance,
  describeOrganizations,
  describePlan,
  describeScope,
  describeSearch,
  describeSearchAmongMany,
  describeTenantLanes,
} from "@andon/testkit/conformance";
import { STORE_KINDS } from "./store-kinds.ts";

describeAuditChain(STORE_KINDS);
describeScope(STORE_KINDS);
describeTenantLanes(STORE_KINDS);
describeOrganizations(STORE_KINDS);
describeSearch(STORE_KINDS);
describeSearchAmongMany(STORE_KINDS);
describeFailuresAtAGlance(STORE_KINDS);
describePlan(STORE_KINDS);
