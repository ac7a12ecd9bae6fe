import { describeCounts, describePurge, describeSweep } from "@andon/testkit/conformance";
import { STORE_KINDS } from "./store-kinds.ts";

describeSweep(STORE_KINDS);
describePurge(STORE_KINDS);
describeCounts(STORE_KINDS);
