const REGION_IN_URL = /^https?:\/\/sqs\.([a-z0-9-]+)\./;

/** Of a client of AWS. Credentials are the SDK's own matter: environment, profile, web identity, instance. */
export function clientOptions(
  endpoint: string | undefined,
  region: string | undefined,
  queueUrl: string | undefined,
) {
  const found = region ?? (queueUrl && REGION_IN_URL.exec(queueUrl)?.[1]) ?? process.env.AWS_REGION;
  return {
    maxAttempts: 2,
    // The address of a queue names AWS's own host, or one that cannot be looked up.
    ...(endpoint === undefined ? {} : { endpoint, useQueueUrlAsEndpoint: false }),
    // A server of one's own has no regions, and the SDK wants one.
    ...(found ? { region: found } : endpoint ? { region: "us-east-1" } : {}),
  };
}
