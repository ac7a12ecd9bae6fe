export { describeEnqueue } from "./enqueue.ts";
export { describeEnqueueInTransaction } from "./enqueue-in-transaction.ts";
export { describeGatheredAdds } from "./gathered-adds.ts";
export { type Bench, describeOn, KIM, type OwnClient, type StoreKind } from "./harness.ts";
export { describeIdempotency } from "./idempotency.ts";
export { describeRefusedAdds } from "./refused-adds.ts";
