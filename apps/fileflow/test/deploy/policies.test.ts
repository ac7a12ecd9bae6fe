import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { deployFile, deployNames, ROOT } from "./deploy-files.ts";

interface Statement {
  readonly Sid: string;
  readonly Effect: "Allow" | "Deny";
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
}

const FILES = deployNames("iam", ".json");
const listOf = (value: string | readonly string[]) => (typeof value === "string" ? [value] : value);
const statementsOf = (file: string) =>
  (JSON.parse(deployFile(file)) as { Version: string; Statement: Statement[] }).Statement;

/** The permissions that each AWS SDK call needs. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  ReceiveMessage: ["sqs:ReceiveMessage"],
  DeleteMessageBatch: ["sqs:DeleteMessage"],
  ChangeMessageVisibilityBatch: ["sqs:ChangeMessageVisibility"],
  GetQueueAttributes: ["sqs:GetQueueAttributes"],
  SendMessage: ["sqs:SendMessage"],
  Publish: ["sns:Publish"],
  GetObject: ["s3:GetObject"],
  HeadObject: ["s3:GetObject"],
  PutObject: ["s3:PutObject"],
  CopyObject: ["s3:GetObject", "s3:PutObject"],
  DeleteObject: ["s3:DeleteObject"],
  HeadBucket: ["s3:ListBucket"],
  ListObjectsV2: ["s3:ListBucket"],
  ListMultipartUploads: ["s3:ListBucketMultipartUploads"],
  AbortMultipartUpload: ["s3:AbortMultipartUpload"],
};

/** Calls of the AWS SDK in these sources. */
function callsIn(folder: string): string[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" });
  const sources = files
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(ROOT, folder, name), "utf8"));
  return sources.flatMap((source) =>
    [...source.matchAll(/new (\w+)Command\(/g)].map(([, call = ""]) => call),
  );
}

describe("the IAM policies", () => {
  const own = FILES.filter((file) => !file.endsWith("queue-policy.json"));
  const allowed = new Set(own.flatMap(statementsOf).flatMap(({ Action }) => listOf(Action)));

  test("allow every call that the sources make, and nothing else", () => {
    const calls = new Set([...callsIn("apps/fileflow/src"), ...callsIn("packages/storage/src")]);
    expect([...calls].filter((call) => NEEDS[call] === undefined)).toEqual([]);
    const needed = new Set([...calls].flatMap((call) => NEEDS[call] ?? []));
    expect([...allowed].sort()).toEqual([...needed].sort());
  });

  test("name resources, and allow no wildcard over actions or whole services", () => {
    for (const file of FILES)
      for (const { Sid, Effect, Action, Resource } of statementsOf(file)) {
        if (Effect === "Deny") continue;
        expect(
          listOf(Action).filter((action) => action.includes("*")),
          Sid,
        ).toEqual([]);
        expect(
          listOf(Resource).filter((resource) => /^\*$|:\*$/.test(resource)),
          Sid,
        ).toEqual([]);
      }
  });
});
