import { describeStalled, describeSweepClocks } from "@andon/testkit/conformance";
import { STORE_KINDS } from "./store-kinds.ts";

describeSweepClocks(STORE_KINDS);
describeStalled(STORE_KINDS);
