import {
  describeParking,
  describeRollBack,
  describeStageAbort,
  describeStagePlaces,
  describeStages,
} from "@andon/testkit/conformance";
import { STORE_KINDS } from "./store-kinds.ts";

describeStages(STORE_KINDS);
describeStagePlaces(STORE_KINDS);
describeRollBack(STORE_KINDS);
describeParking(STORE_KINDS);
describeStageAbort(STORE_KINDS);
