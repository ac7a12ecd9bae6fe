import { describeLimits, describeManyShares, describeRate } from "@andon/testkit/conformance";
import { STORE_KINDS } from "./store-kinds.ts";

describeLimits(STORE_KINDS);
describeManyShares(STORE_KINDS);
describeRate(STORE_KINDS);
