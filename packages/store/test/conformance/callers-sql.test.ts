import { describeCallersSql } from "@andon/testkit/conformance";
import { STORE_KINDS } from "./store-kinds.ts";

describeCallersSql(STORE_KINDS);
