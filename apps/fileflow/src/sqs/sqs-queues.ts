import type { AppLog } from "@andon/app";
import type { SqsSettings } from "../contract/settings.ts";
import type { FromDlq, Received } from "./sqs-calls.ts";
import { SqsThread } from "./sqs-thread.ts";

export type { FromDlq, Received } from "./sqs-calls.ts";

/** The most messages that one pass over the dead-letter queue receives. */
const MOST_LOOKED_AT = 1_000;
const LOOK_SECONDS = 60;
/** With a shorter wait, SQS queries only some of its servers and may report a filled queue as empty. */
const LOOK_WAIT_SECONDS = 1;
const LONGEST_ATTRIBUTE = 2_000;

/** The ingest queue and its dead-letter queue. */
export class SqsQueues {
  readonly #thread: SqsThread;
  readonly #queueUrl: string;
  readonly #dlqUrl: string | undefined;
  /** One pass over the dead-letter queue at a time, because each pass hides the messages that it receives from the others. */
  #looking: Promise<unknown> = Promise.resolve();

  constructor(settings: SqsSettings & { queueUrl: string }, log: AppLog) {
    this.#thread = new SqsThread(settings, log);
    this.#queueUrl = settings.queueUrl;
    this.#dlqUrl = settings.dlqUrl;
  }

  /**
   * Waits for messages. It is not aborted at shutdown: a message that SQS sends to a caller that has gone would be hidden
   * until its visibility time-out.
   */
  receive(waitSeconds: number, visibilitySeconds: number): Promise<Received[]> {
    return this.#thread.ask("receive", this.#queueUrl, waitSeconds, visibilitySeconds);
  }

  delete(messages: readonly Received[]): Promise<void> {
    return this.#deleteFrom(this.#queueUrl, messages);
  }

  /** Hides each message for this long from now; 0 makes it visible. */
  hide(messages: readonly Received[], seconds: (message: Received) => number): Promise<void> {
    return this.#hideIn(this.#queueUrl, messages, seconds);
  }

  /** Sends a copy of a dead letter to the dead-letter queue, if there is one. */
  async sendToDlq(
    message: Received,
    { id, error, reasons }: { id: string; error: string; reasons: readonly string[] },
  ): Promise<void> {
    if (this.#dlqUrl === undefined) return;
    const attributes = { dlqId: id, error, reasons: attributeText(reasons.join("; ") || error) };
    // A separate group per letter: while one message of a group is hidden, SQS returns no other message of it.
    const group = this.#dlqUrl.endsWith(".fifo") ? id : undefined;
    await this.#thread.ask("send", this.#dlqUrl, message.body, attributes, group);
  }

  /** The name of the ingest queue. */
  get queueName(): string {
    return this.#queueUrl.split("/").at(-1) ?? "";
  }

  get hasDlq(): boolean {
    return this.#dlqUrl !== undefined;
  }

  /** Removes the copy of a dead letter from the dead-letter queue. */
  async takeFromDlq(id: string): Promise<boolean> {
    let isTaken = false;
    await this.lookIntoDlq(
      async (messages) => {
        const gone = messages.filter(({ dlqId }) => dlqId === id);
        isTaken ||= gone.length > 0;
        return gone;
      },
      AbortSignal.timeout(LOOK_SECONDS * 500),
      () => isTaken,
    );
    return isTaken;
  }

  /**
   * Passes the messages of the dead-letter queue to `settle` and deletes those that it returns. The others become visible
   * again at the end.
   */
  async lookIntoDlq(
    settle: (messages: readonly FromDlq[]) => Promise<readonly FromDlq[]>,
    signal: AbortSignal,
    isEnough: () => boolean = () => false,
  ): Promise<{ copies: number }> {
    const url = this.#dlqUrl;
    if (url === undefined) return { copies: 0 };
    const look = async () => {
      const others: FromDlq[] = [];
      let met = 0;
      try {
        while (met < MOST_LOOKED_AT && !isEnough() && !signal.aborted) {
          const messages = await this.#thread.ask("receiveFromDlq", url, LOOK_WAIT_SECONDS, LOOK_SECONDS);
          if (messages.length === 0) break;
          met += messages.length;
          const gone = await settle(messages).catch((error) => {
            others.push(...messages);
            throw error;
          });
          others.push(...messages.filter((message) => !gone.includes(message)));
          await this.#deleteFrom(url, gone);
        }
      } finally {
        await this.#hideIn(url, others, () => 0);
      }
      return { copies: others.length };
    };
    const looked = this.#looking.then(look, look);
    this.#looking = looked.catch(() => {});
    return looked;
  }

  /** Throws if the queue does not answer. */
  async ping(): Promise<{ waiting: number }> {
    return { waiting: await this.#thread.ask("countWaiting", this.#queueUrl) };
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  async #deleteFrom(url: string, messages: readonly Received[]): Promise<void> {
    const handles = messages.map(({ handle }) => handle);
    if (handles.length > 0) await this.#thread.ask("delete", url, handles);
  }

  async #hideIn(
    url: string,
    messages: readonly Received[],
    seconds: (message: Received) => number,
  ): Promise<void> {
    const hidden = messages.map((message) => ({ handle: message.handle, seconds: seconds(message) }));
    if (hidden.length > 0) await this.#thread.ask("hide", url, hidden);
  }
}

/** SQS refuses control characters in attributes. */
function attributeText(text: string): string {
  return text
    .slice(0, LONGEST_ATTRIBUTE)
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, "\ufffd");
}
