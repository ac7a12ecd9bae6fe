import {
  describeFailurePolicy,
  describeHooks,
  describeOrder,
  describeSerial,
  describeTransitions,
} from "@andon/testkit/conformance";
import { STORE_KINDS } from "./store-kinds.ts";

describeOrder(STORE_KINDS);
describeSerial(STORE_KINDS);
describeFailurePolicy(STORE_KINDS);
describeHooks(STORE_KINDS);
describeTransitions(STORE_KINDS);
