import { checkReachable, postSafely, signatures } from "@andon/app";
import type { PushSender } from "./push-sender.ts";

/** Posts the pushes of a chunk as one JSON document, signed over its bytes. Any 2xx is success. */
export function webhookSender(target: {
  readonly url: string;
  readonly secret: string | undefined;
  readonly allowPrivateTargets: boolean;
}): PushSender {
  const { url, secret, allowPrivateTargets: isAllowed } = target;
  const reach = { private: isAllowed, loopback: isAllowed };
  return {
    ask: (signal) => checkReachable(url, { reach, signal }),
    async send(batch, signal) {
      const { recipients: _count, channelIds, ...rest } = batch;
      const body = JSON.stringify({ ...rest, channelIds: await channelIds() });
      const headers = {
        "x-andon-delivery": batch.id.replace(/[^\x21-\x7e]/g, encodeURIComponent),
        ...(secret ? signatures(body, secret, Math.floor(Date.now() / 1_000)) : {}),
      };
      await postSafely({ url, body, headers }, { reach, signal });
    },
  };
}
