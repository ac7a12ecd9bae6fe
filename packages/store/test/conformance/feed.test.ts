import { describeFeedOrder, describeForgedCertificate } from "@andon/testkit/conformance";
import { STORE_KINDS } from "./store-kinds.ts";

describeFeedOrder(STORE_KINDS);
describeForgedCertificate(STORE_KINDS);
