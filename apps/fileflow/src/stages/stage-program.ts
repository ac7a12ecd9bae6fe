import type { Localized } from "@andon/contract";
import type { Tx } from "@andon/engine";
import { Unretryable } from "@andon/engine";
import type { FileflowContext } from "../fileflow-context.ts";
import type { SkipReason, StageText } from "./stage-texts.ts";

/** What a stage knows about its execution. */
export interface StageRun {
  readonly context: FileflowContext;
  readonly executionId: string;
  readonly tenantId: string;
  readonly organizationId: string;
  readonly fileId: string;
  readonly traceId: string;
  readonly bucket: string | null;
  readonly key: string | null;
  readonly size: number | null;
  /** The type that the event claims, or that an earlier stage detected. */
  readonly mimeType: string | null;
  /** The type that the event claims. */
  readonly claimedType: string | null;
  /** The name of this stage. */
  readonly stage: string;
  readonly timeoutMs: number;
  readonly attempt: number;
  /** The outputs of earlier stages, by stage name. */
  readonly outputs: Readonly<Record<string, StageOutput>>;
  readonly signal: AbortSignal;
  log(level: "info" | "warn", message: StageText): void;
}

/** An extraction, which the stage `publish` sends to the receivers. */
export interface Extracted {
  readonly type: string;
  readonly method: string;
  /** 0 to 1. */
  readonly confidence: number;
  readonly ref: string | null;
  readonly mimeType: string | null;
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface StageOutput {
  readonly skipped?: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly extracted?: readonly Extracted[];
}

/** A program that stages of pipelines use. */
export interface StageProgram {
  run(run: StageRun): Promise<StageOutput & { readonly writes?: (tx: Tx) => Promise<void> }>;
  /** Removes what the stage stored. May be called more than once. */
  rollBack?(run: StageRun): Promise<void>;
}

/** The output of a stage that does not apply to this file. */
export function skipped(reason: SkipReason): StageOutput {
  return { skipped: reason, facts: {} };
}

/** A failure that no retry can fix. */
export class IrreversibleFailure extends Unretryable {
  readonly code: string;
  readonly localized: Localized;

  constructor(code: string, texts: Localized) {
    super(texts.en);
    this.code = code;
    this.localized = texts;
  }
}

/** A failure that is retried by the stage's retry strategy. */
export class RetryableFailure extends Error {
  readonly code: string;
  readonly localized: Localized;

  constructor(code: string, texts: Localized) {
    super(texts.en);
    this.code = code;
    this.localized = texts;
  }
}
