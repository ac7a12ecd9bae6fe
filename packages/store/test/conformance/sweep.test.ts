import {
  describeStalled,
  describeSuspects,
  describeSweepClocks,
  describeSweepUnworked,
} from "@andon/testkit/conformance";
import { STORE_KINDS } from "./store-kinds.ts";

describeSweepClocks(STORE_KINDS);
describeSweepUnworked(STORE_KINDS);
describeStalled(STORE_KINDS);
describeSuspects(STORE_KINDS);
