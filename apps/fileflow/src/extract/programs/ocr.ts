import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { createWorker, OEM, type Worker } from "tesseract.js";
import type { ToProcess } from "../messages.ts";
import type { ExtractResult } from "../port.ts";
import { imageFailure, openImage } from "./open-image.ts";
import { writingText } from "./text-output.ts";

/** By language. The models of the plain `4.0.0` garble English next to Korean. */
const MODELS = {
  kor: import.meta.resolve("@tesseract.js-data/kor/4.0.0_best_int/kor.traineddata.gz"),
  eng: import.meta.resolve("@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz"),
};
/** A4 at 300 dpi has 2,480 × 3,508 pixels; more pixels make letters larger, not clearer. */
const LONGEST_SIDE = 4_000;

let recognizer: Promise<Worker> | undefined;

/** Recognizes Korean and English text in an image. The models stay loaded for the next image. */
export async function recognizeText({ request: { file }, workFolder }: ToProcess): Promise<ExtractResult> {
  const image = await openImage(file)
    .autoOrient()
    .resize(LONGEST_SIDE, LONGEST_SIDE, { fit: "inside", withoutEnlargement: true })
    .flatten({ background: "white" })
    .grayscale()
    .png({ compressionLevel: 1 })
    .toBuffer()
    .catch((error) => {
      throw imageFailure(error);
    });
  recognizer ??= loadRecognizer(workFolder);
  const { data } = await (await recognizer).recognize(image);
  return await writingText(workFolder, async (output) => {
    output.write(data.text);
    const facts = output.finish();
    const confidence = data.text.trim() === "" ? 0 : Number((data.confidence / 100).toFixed(4));
    return { ...facts, confidence, pages: 1, method: "tesseract" };
  });
}

/** Copies the models into one folder, as Tesseract needs; npm has one package per language. */
async function loadRecognizer(workFolder: string): Promise<Worker> {
  const langPath = await mkdtemp(join(workFolder, "models-"));
  for (const [language, model] of Object.entries(MODELS))
    await copyFile(new URL(model), join(langPath, `${language}.traineddata.gz`));
  const worker = await createWorker(Object.keys(MODELS).join("+"), OEM.LSTM_ONLY, {
    langPath,
    gzip: true,
    cacheMethod: "none",
    // Without this handler, an error is thrown where it cannot be caught. The promise rejects in any case.
    errorHandler: () => {},
  });
  await rm(langPath, { recursive: true, force: true });
  return worker;
}
