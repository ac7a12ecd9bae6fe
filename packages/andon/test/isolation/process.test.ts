import { describeIsolated } from "./suite.ts";

describeIsolated("process");
