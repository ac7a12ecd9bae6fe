import {
  describeCounts,
  describeEmptiedLanes,
  describePurge,
  describeSweep,
} from "@andon/testkit/conformance";
import { STORE_KINDS } from "./store-kinds.ts";

describeSweep(STORE_KINDS);
describePurge(STORE_KINDS);
describeEmptiedLanes(STORE_KINDS);
describeCounts(STORE_KINDS);
