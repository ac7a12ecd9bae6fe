/** The pushes of one chunk, as a sender gets them. */
export interface PushBatch {
  /** The same for every attempt: a receiver that has it already may ignore it. */
  readonly id: string;
  readonly jobId: string;
  readonly tenantId: string;
  readonly category: string;
  readonly title: string;
  readonly body: string;
  readonly recipients: number;
  /** Reads whom they go to: a sender that does not need it costs no read of a thousand rows. */
  channelIds(): Promise<readonly string[]>;
}

/** Where pushes go. */
export interface PushSender {
  /** Resolves when the receiver has taken all of them; what it throws is tried again. */
  send(batch: PushBatch, signal: AbortSignal): Promise<void>;
  /** Throws where the receiver cannot be reached now. Sends nothing. Default: it is taken to be there. */
  ask?(signal: AbortSignal): Promise<void>;
}
