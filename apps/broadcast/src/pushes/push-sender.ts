/** The pushes of one chunk, as a sender gets them. */
export interface PushBatch {
  /** The same for every attempt, so that the receiver can ignore a duplicate. */
  readonly id: string;
  readonly jobId: string;
  readonly tenantId: string;
  readonly category: string;
  readonly title: string;
  readonly body: string;
  readonly recipients: number;
  /** Reads the recipients on demand: a sender that does not need them avoids a read of a thousand rows. */
  channelIds(): Promise<readonly string[]>;
}

/** Where pushes go. */
export interface PushSender {
  /** Resolves when the receiver has accepted all of them. An error is retried. */
  send(batch: PushBatch, signal: AbortSignal): Promise<void>;
  /** Throws if the receiver cannot be reached now. Sends nothing. Default: the receiver is assumed to be reachable. */
  ask?(signal: AbortSignal): Promise<void>;
}
