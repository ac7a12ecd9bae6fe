import {
  describeParking,
  describeRollBack,
  describeStageAbort,
  describeStages,
} from "@andon/testkit/conformance";
import { STORE_KINDS } from "./store-kinds.ts";

describeStages(STORE_KINDS);
describeRollBack(STORE_KINDS);
describeParking(STORE_KINDS);
describeStageAbort(STORE_KINDS);
