import { andon, temporaryFolder } from "@andon/cli/testing";
import { expect, test } from "vitest";
import { SqsServer } from "../sqs.ts";

interface Finding {
  readonly check: string;
  readonly level: string;
}

test("andon doctor reports whether the SQS queues answer and objects can be stored", async () => {
  const sqs = await SqsServer.start();
  const folder = temporaryFolder();
  const base = {
    ANDON_URL: "http://127.0.0.1:1",
    ANDON_DATA: folder.path,
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
  };
  const levels = async (check: string, env: Record<string, string>) => {
    const { stdout } = await andon(["doctor", "--json"], { env: { ...base, ...env }, folder: folder.path });
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    return findings.filter((found) => found.check === check).map(({ level }) => level);
  };
  const queue = { ANDON_SQS_ENDPOINT: sqs.endpoint, ANDON_SQS_QUEUE_URL: sqs.queueUrl };
  const both = { ...queue, ANDON_SQS_DLQ_URL: sqs.dlqUrl };
  try {
    expect(await levels("sqs", {})).toEqual([]);
    expect(await levels("sqs", queue)).toEqual(["ok", "warn"]);
    expect(await levels("sqs", both)).toEqual(["ok", "ok"]);
    expect(await levels("sqs", { ...both, ANDON_SQS_DLQ_URL: `${sqs.endpoint}/000000000000/none` })).toEqual([
      "ok",
      "bad",
    ]);
    expect(await levels("objects", {})).toEqual(["ok"]);
    await sqs.stop();
    expect(await levels("sqs", both)).toEqual(["bad", "bad"]);
  } finally {
    await sqs.stop().catch(() => {});
    folder.remove();
  }
}, 120_000);
