import { openFolder } from "../places.ts";
import { describeStorage } from "./suite.ts";

describeStorage("a folder", openFolder, { runs: 60 });
