import { publishExtraction } from "../extractions/publish.ts";
import type { StageProgram } from "./stage-program.ts";

/**
 * Sends the extractions of the earlier stages to the receivers. The events commit together with the completion of this stage.
 */
export const PUBLISH_PROGRAM: StageProgram = {
  async run(run) {
    const found = Object.entries(run.outputs).flatMap(([stage, { extracted = [] }]) =>
      extracted.map((one) => ({ stage, ...one })),
    );
    if (found.length === 0) run.log("info", { en: "nothing was extracted", ko: "추출된 것이 없습니다" });
    return {
      facts: { events: found.length },
      writes: async (tx) => {
        for (const one of found) await publishExtraction(run, one, tx);
      },
    };
  },
  async rollBack({ context, executionId }) {
    await context.andon.store.transaction("extractions-remove", (tx) =>
      tx.query("delete from fileflow_extractions where execution_id = $1", [executionId]),
    );
  },
};
