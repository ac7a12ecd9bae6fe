import { describeUndo } from "@andon/testkit/conformance";
import { STORE_KINDS } from "./store-kinds.ts";

describeUndo(STORE_KINDS);
