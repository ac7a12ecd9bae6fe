import { describeReading } from "@andon/testkit/conformance";
import { STORE_KINDS } from "./store-kinds.ts";

describeReading(STORE_KINDS);
