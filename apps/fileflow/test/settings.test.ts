import { fileflowApp } from "@andon/fileflow";
import { type SettingsError, settingsOf } from "@andon/server";
import { describe, expect, test } from "vitest";
import type { FileflowSettings } from "../src/contract/settings.ts";
import { Pipelines } from "../src/pipelines/pipelines.ts";

const app = fileflowApp();
const own = (given: Record<string, unknown> = {}): FileflowSettings =>
  (settingsOf({ ...given, apps: [app as never] } as never).ofApps as Record<string, unknown>)
    .fileflow as FileflowSettings;
const PROGRAMS = ["probe", "image", "text", "ocr", "publish"];

describe("settings", () => {
  test.each<[Record<string, unknown>, RegExp]>([
    [{ sqs: { queueURL: "http://q/x" } }, /sqs\.queueURL is not a known key\. Did you mean "queueUrl"\?/],
    [{ sqs: { queueUrl: "ftp://q" } }, /sqs\.queueUrl is "ftp:\/\/q"/],
    [{ fileflow: { retryPolicy: "again" } }, /fileflow\.retryPolicy is "again"/],
    [
      { fileflow: { pipelines: [{ code: "Bad Code", stages: [{ use: "probe" }] }] } },
      /fileflow\.pipelines\.0\.code/,
    ],
    [{ fileflow: { vault: { match: ["everything"] } } }, /fileflow\.vault\.match\.0/],
  ])("%j stops the start", (given, expected) => {
    try {
      own(given);
    } catch (error) {
      expect((error as SettingsError).lines("en").join("\n")).toMatch(expected);
      return;
    }
    throw new Error("the settings were accepted");
  });

  test("match by default PDF, DOCX and images of the vault, and keep executions for 90 days", () => {
    expect(own().vault.match).toEqual([
      "application/pdf",
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      "image/*",
    ]);
    expect([own().keep, own().maxReceives, own().quarantineAfter, own().retryPolicy]).toEqual([
      90 * 86_400_000,
      5,
      3,
      "resume",
    ]);
  });
});

describe("pipelines", () => {
  const of = (pipelines: unknown) => new Pipelines(own({ fileflow: { pipelines } }), PROGRAMS);

  test("always include `default`, which takes what no other matches", () => {
    const pipelines = of([
      { code: "images", match: { mimeTypes: ["image/*"] }, stages: [{ use: "image" }] },
      {
        code: "legal",
        match: { buckets: ["legal"], prefix: "signed/", tenantIds: ["acme"] },
        stages: [{ use: "text" }],
      },
      { code: "by-name", stages: [{ use: "probe" }] },
    ]);
    const code = (mimeType: string | null, bucket = "b", key = "k", tenantId = "acme") =>
      pipelines.for({ mimeType, bucket, key, tenantId }).code;
    expect(code("image/png")).toBe("images");
    expect(code("text/plain", "legal", "signed/a")).toBe("legal");
    expect(code("text/plain", "legal", "signed/a", "other")).toBe("default");
    expect(code(null, "legal", "drafts/a")).toBe("default");
    expect(pipelines.find("default")?.stages.map(({ name }) => name)).toEqual(PROGRAMS);
  });

  test.each([
    [
      [
        { code: "a", stages: [{ use: "probe" }] },
        { code: "a", stages: [{ use: "probe" }] },
      ],
      /each code once/,
    ],
    [[{ code: "a", stages: [{ use: "probe" }, { use: "probe" }] }], /each name once/],
    [[{ code: "a", stages: [{ use: "translate" }] }], /probe, image, text, ocr, publish/],
  ])("%j stops the start", (pipelines, expected) => {
    expect(() => of(pipelines)).toThrow(expected);
  });
});
