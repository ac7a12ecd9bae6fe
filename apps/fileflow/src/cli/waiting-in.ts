import { GetQueueAttributesCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { SqsSettings } from "../contract/settings.ts";
import { clientOptions } from "../sqs/client-options.ts";

const LONGEST_MS = 5_000;

/** The number of messages that wait in an SQS queue; throws if SQS does not answer. */
export async function waitingIn({ endpoint, region }: SqsSettings, url: string): Promise<number> {
  const client = new SQSClient(clientOptions(endpoint, region, url));
  try {
    const names = ["ApproximateNumberOfMessages"] as const;
    const { Attributes: attributes } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: [...names] }),
      { abortSignal: AbortSignal.timeout(LONGEST_MS) },
    );
    return Number(attributes?.ApproximateNumberOfMessages ?? 0);
  } finally {
    client.destroy();
  }
}
