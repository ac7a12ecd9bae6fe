import {
  describeHoldRelease,
  describeOperatorRetry,
  describeOperatorSkip,
  describeSchedule,
  describeStopResume,
} from "@andon/testkit/conformance";
import { STORE_KINDS } from "./store-kinds.ts";

describeOperatorRetry(STORE_KINDS);
describeOperatorSkip(STORE_KINDS);
describeStopResume(STORE_KINDS);
describeHoldRelease(STORE_KINDS);
describeSchedule(STORE_KINDS);
