import { describeOperations } from "@andon/testkit/conformance";
import { STORE_KINDS } from "./store-kinds.ts";

describeOperations(STORE_KINDS);
