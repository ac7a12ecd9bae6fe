import { basename, join } from "node:path";
import { isAndonError, type Localized } from "@andon/contract";
import { isStorageError } from "@andon/storage";
import { DOCX, isDamagedDocx } from "../extract/damaged-docx.ts";
import { ExtractError, type ExtractRequest, type ExtractResult } from "../extract/port.ts";
import { refOf } from "../objects/references.ts";
import { matchesType } from "../pipelines/match.ts";
import {
  type Extracted,
  IrreversibleFailure,
  RetryableFailure,
  type StageOutput,
  type StageProgram,
  type StageRun,
  skipped,
} from "./stage-program.ts";
import { extractText } from "./stage-texts.ts";

const IMAGES = ["image/jpeg", "image/png", "image/webp", "image/gif"];
const TEXTS = ["application/pdf", DOCX, "text/*", "application/json", "application/xml"];
const TEXT_TYPE = "text/plain; charset=utf-8";

export const EXTRACT_PROGRAMS: Readonly<Record<"probe" | "image" | "text" | "ocr", StageProgram>> = {
  probe: {
    async run(run) {
      const found = await extract(run, "probe");
      if (run.size !== null && found.size !== undefined && found.size !== run.size)
        run.log("warn", {
          en: `the event says ${run.size} bytes, the object has ${found.size}`,
          ko: `이벤트에는 ${run.size}바이트, 실제 오브젝트는 ${found.size}바이트입니다`,
        });
      const { mimeType = run.mimeType, size, sha256 } = found;
      return { facts: { mimeType, size, sha256 } };
    },
  },
  image: {
    async run(run) {
      if (!matchesType(IMAGES, run.mimeType)) return skipped("NOT_AN_IMAGE");
      const found = await extract(run, "image");
      const { width, height, orientation, method = "sharp" } = found;
      const facts = { width, height, orientation };
      const ref = await kept(run, found.thumbnail, "thumbnail.webp");
      return withExtracted(facts, {
        type: "THUMBNAIL",
        method,
        confidence: 1,
        ref,
        mimeType: "image/webp",
        facts,
      });
    },
    rollBack,
  },
  text: {
    async run(run) {
      const { mimeType, claimedType, key } = run;
      // Treated as a DOCX so that the stage fails: no other stage would report the damage.
      const type = isDamagedDocx(mimeType, claimedType, key ?? "") ? DOCX : mimeType;
      if (!matchesType(TEXTS, type)) return skipped("NOT_A_TEXT");
      return textOf(run, await extract({ ...run, mimeType: type }, "text"), "TEXT", 1);
    },
    rollBack,
  },
  ocr: {
    async run(run) {
      if (!matchesType(IMAGES, run.mimeType)) return skipped("NOT_AN_IMAGE");
      return textOf(run, await extract(run, "ocr"), "OCR", 0);
    },
    rollBack,
  },
};

async function textOf(run: StageRun, found: ExtractResult, type: string, sure: number): Promise<StageOutput> {
  const { characters = 0, pages, language, method = type.toLowerCase(), confidence = sure } = found;
  const facts = { characters, pages, language };
  const ref = await kept(run, found.textFile, "text.txt");
  run.log("info", { en: `${characters} characters found`, ko: `글자 ${characters}자를 찾았습니다` });
  return withExtracted(facts, {
    type,
    method,
    confidence: between0And1(confidence),
    ref,
    mimeType: TEXT_TYPE,
    facts,
  });
}

function withExtracted(facts: Readonly<Record<string, unknown>>, extracted: Extracted): StageOutput {
  return { facts, extracted: [extracted] };
}

const between0And1 = (value: number) => Math.min(1, Math.max(0, value));

async function kept(run: StageRun, file: string | undefined, name: string): Promise<string | null> {
  if (file === undefined) return null;
  const { ref } = await run.context.references.putFile(
    refOf(run.executionId, run.stage, name),
    file,
    run.signal,
  );
  return ref;
}

async function rollBack({ context, executionId, stage }: StageRun): Promise<void> {
  await context.references.removeBelow(refOf(executionId, stage, "").replace(/\/$/, ""));
}

/** Runs an extraction program on the object of the execution. The files in its result have absolute paths. */
async function extract(run: StageRun, task: ExtractRequest["task"]): Promise<ExtractResult> {
  const { context, bucket, key, tenantId, fileId, signal } = run;
  if (bucket === null || key === null)
    throw new IrreversibleFailure("PP-500-IO", {
      en: "the execution has no object",
      ko: "실행에 오브젝트가 없습니다",
    });
  const open = () => context.buckets.read(context, { bucket, key, tenantId, fileId }, signal);
  let copy: { file: string; outputFolder: string };
  try {
    copy = await context.copies.of(run.executionId, run.stage, open, signal);
  } catch (error) {
    throw asReadFailure(error, signal);
  }
  const extractor = await context.extractor();
  const request: ExtractRequest = {
    task,
    file: copy.file,
    mimeType: run.mimeType,
    name: key.split("/").at(-1) ?? key,
    limits: { timeoutMs: Math.max(1_000, run.timeoutMs - 500), memoryMb: context.settings.extract.memoryMb },
    outputFolder: copy.outputFolder,
  };
  try {
    const { thumbnail, textFile, ...facts } = await extractor.run(request, signal);
    return {
      ...facts,
      ...(thumbnail === undefined ? {} : { thumbnail: join(copy.outputFolder, basename(thumbnail)) }),
      ...(textFile === undefined ? {} : { textFile: join(copy.outputFolder, basename(textFile)) }),
    };
  } catch (error) {
    if (!(error instanceof ExtractError)) throw error;
    const Failure = error.irreversible ? IrreversibleFailure : RetryableFailure;
    throw new Failure(error.code, extractText(error.code, error.message));
  }
}

/** Storage errors of one object that no retry can fix. */
const IRREVERSIBLE = ["SOURCE_MISSING", "INVALID_NAME", "NAME_REFUSED", "PATH_OUTSIDE", "NOT_A_FILE"];

/** Leaves out the driver's own message, also as a cause: it may contain the object's name, which may be personal data. */
function asReadFailure(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return error;
  if (isStorageError(error)) {
    const isGone = IRREVERSIBLE.includes(error.code);
    return isGone
      ? new IrreversibleFailure("PP-500-IO", {
          en: `the object is missing (${error.code})`,
          ko: `오브젝트가 없습니다(${error.code})`,
        })
      : new RetryableFailure("PP-500-IO", unreadable(error.code));
  }
  const code = isAndonError(error) ? error.code : (error as { code?: unknown }).code;
  const isRefused = isAndonError(error) && error.status < 500;
  const Failure = isRefused ? IrreversibleFailure : RetryableFailure;
  return new Failure("PP-500-IO", unreadable(typeof code === "string" ? code : undefined));
}

function unreadable(code: string | undefined): Localized {
  return {
    en: `the object cannot be read${code === undefined ? "" : ` (${code})`}`,
    ko: `오브젝트를 읽을 수 없습니다${code === undefined ? "" : `(${code})`}`,
  };
}
