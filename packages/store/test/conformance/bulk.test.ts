import {
  describeBulk,
  describeBulkAbort,
  describeBulkRandom,
  describeBulkResume,
  describeBulkThrottle,
} from "@andon/testkit/conformance";
import { STORE_KINDS } from "./store-kinds.ts";

describeBulk(STORE_KINDS);
describeBulkAbort(STORE_KINDS);
describeBulkResume(STORE_KINDS);
describeBulkThrottle(STORE_KINDS);
describeBulkRandom(STORE_KINDS);
