import { describeDeletion, describeEndedJobs, describeRetention } from "@andon/testkit/conformance";
import { STORE_KINDS } from "./store-kinds.ts";

describeEndedJobs(STORE_KINDS);
describeRetention(STORE_KINDS);
describeDeletion(STORE_KINDS);
