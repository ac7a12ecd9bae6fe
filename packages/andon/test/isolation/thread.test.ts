import { describeIsolated } from "./suite.ts";

describeIsolated("thread");
