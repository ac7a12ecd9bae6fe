import { openWebdav } from "../places.ts";
import { describeStorage } from "./suite.ts";

describeStorage("WebDAV", openWebdav, { runs: 25 });
