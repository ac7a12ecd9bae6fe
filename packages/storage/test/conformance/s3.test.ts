import { openS3 } from "../places.ts";
import { describeStorage } from "./suite.ts";

describeStorage("S3 that refuses to overwrite", openS3, { runs: 25 });

describeStorage("S3 that ignores conditions", openS3, {
  runs: 15,
  prepare: ({ front }) => {
    front.conditions = "ignored";
  },
});
