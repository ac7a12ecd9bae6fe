const REGION_IN_URL = /^https?:\/\/sqs\.([a-z0-9-]+)\./;

/** The options of an AWS client. The SDK finds credentials itself: environment, profile, web identity, instance. */
export function clientOptions(
  endpoint: string | undefined,
  region: string | undefined,
  queueUrl: string | undefined,
) {
  const found = region ?? (queueUrl && REGION_IN_URL.exec(queueUrl)?.[1]) ?? process.env.AWS_REGION;
  return {
    maxAttempts: 2,
    // The URL of a queue names AWS's own host, or a host that does not resolve.
    ...(endpoint === undefined ? {} : { endpoint, useQueueUrlAsEndpoint: false }),
    // A self-hosted server has no regions, but the SDK requires one.
    ...(found ? { region: found } : endpoint ? { region: "us-east-1" } : {}),
  };
}
