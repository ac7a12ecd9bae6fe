import {
  describeEnqueue,
  describeEnqueueInTransaction,
  describeGatheredAdds,
  describeIdempotency,
  describeRefusedAdds,
  describeRefusedArguments,
} from "@andon/testkit/conformance";
import { STORE_KINDS } from "./store-kinds.ts";

describeEnqueue(STORE_KINDS);
describeRefusedAdds(STORE_KINDS);
describeRefusedArguments(STORE_KINDS);
describeIdempotency(STORE_KINDS);
describeEnqueueInTransaction(STORE_KINDS);
describeGatheredAdds(STORE_KINDS);
