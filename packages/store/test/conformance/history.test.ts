import { describeHistory } from "@andon/testkit/conformance";
import { STORE_KINDS } from "./store-kinds.ts";

describeHistory(STORE_KINDS);
