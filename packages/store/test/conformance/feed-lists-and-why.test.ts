import {
  describeFeed,
  describeLists,
  describeStopCertificate,
  describeWhy,
} from "@andon/testkit/conformance";
import { STORE_KINDS } from "./store-kinds.ts";

describeFeed(STORE_KINDS);
describeStopCertificate(STORE_KINDS);
describeLists(STORE_KINDS);
describeWhy(STORE_KINDS);
