import { describePromotion } from "@andon/testkit/conformance";
import { STORE_KINDS } from "./store-kinds.ts";

describePromotion(STORE_KINDS);
