import { createInterface } from "node:readline";
import * as testkit from "@andon/testkit";

const kind: string = "startPostgres" in testkit ? "whole" : "empty";
console.log(
  `ready ${process.argv[2]} ${process.env.GREETING} ${kind} ${import.meta.resolve("@andon/testkit")}`,
);
createInterface({ input: process.stdin }).on("line", (line) => {
  if (line === "quit") process.exit(3);
  console.log(`heard ${line}`);
});
