import {
  describeHoldRelease,
  describeOperatorRetry,
  describeOperatorSkip,
  describeSchedule,
  describeSkipWithRest,
  describeStopResume,
} from "@andon/testkit/conformance";
import { STORE_KINDS } from "./store-kinds.ts";

describeOperatorRetry(STORE_KINDS);
describeOperatorSkip(STORE_KINDS);
describeSkipWithRest(STORE_KINDS);
describeStopResume(STORE_KINDS);
describeHoldRelease(STORE_KINDS);
describeSchedule(STORE_KINDS);
