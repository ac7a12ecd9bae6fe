import { describeProbe, describeProbePassedOn } from "@andon/testkit/conformance";
import { STORE_KINDS } from "./store-kinds.ts";

describeProbe(STORE_KINDS);
describeProbePassedOn(STORE_KINDS);
