import { describeRehearsal } from "@andon/testkit/conformance";
import { STORE_KINDS } from "./store-kinds.ts";

describeRehearsal(STORE_KINDS);
