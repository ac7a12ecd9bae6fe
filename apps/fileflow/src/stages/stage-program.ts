import type { Localized } from "@andon/contract";
import type { Tx } from "@andon/engine";
import { Unretryable } from "@andon/engine";
import type { FileflowContext } from "../fileflow-context.ts";
import type { SkipReason, StageText } from "./stage-texts.ts";

/** What a stage knows of the execution it works on. */
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
  /** As the event says it, or as an earlier stage found it. */
  readonly mimeType: string | null;
  /** As the event says it. */
  readonly claimedType: string | null;
  /** The name of this stage. */
  readonly stage: string;
  readonly timeoutMs: number;
  readonly attempt: number;
  /** What earlier stages found, by their names. */
  readonly outputs: Readonly<Record<string, StageOutput>>;
  readonly signal: AbortSignal;
  log(level: "info" | "warn", message: StageText): void;
}

/** Something extracted, which the stage `publish` tells the receivers of. */
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

/** A program that pipelines use in their stages. */
export interface StageProgram {
  run(run: StageRun): Promise<StageOutput & { readonly writes?: (tx: Tx) => Promise<void> }>;
  /** Takes back what the stage stored. It may be called more than once. */
  rollBack?(run: StageRun): Promise<void>;
}

/** A stage has nothing to do for this file. */
export function skipped(reason: SkipReason): StageOutput {
  return { skipped: reason, facts: {} };
}

/** A failure that no retry mends. */
export class IrreversibleFailure extends Unretryable {
  readonly code: string;
  readonly localized: Localized;

  constructor(code: string, texts: Localized) {
    super(texts.en);
    this.code = code;
    this.localized = texts;
  }
}

/** A failure that is tried again as the stage's strategy says. */
export class RetryableFailure extends Error {
  readonly code: string;
  readonly localized: Localized;

  constructor(code: string, texts: Localized) {
    super(texts.en);
    this.code = code;
    this.localized = texts;
  }
}
