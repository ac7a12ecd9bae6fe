import { describeRamp } from "@andon/testkit/conformance";
import { STORE_KINDS } from "./store-kinds.ts";

describeRamp(STORE_KINDS);
