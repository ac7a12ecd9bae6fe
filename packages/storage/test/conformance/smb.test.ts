import { openSmb } from "../places.ts";
import { describeStorage } from "./suite.ts";

describeStorage("an SMB share", openSmb, { runs: 25, windowsNames: true });
