import { openSftp } from "../places.ts";
import { describeStorage } from "./suite.ts";

describeStorage("SFTP", openSftp, { runs: 25 });
