import { command, pagingOptions, showPage } from "@andon/cli/app";
import { FILEFLOW_ROUTES } from "../contract/routes.ts";
import { PIPELINE } from "./i18n.ts";

const DEFAULT = "default";

export const pipelineList = command({
  name: "pipeline list",
  isDefault: true,
  says: {
    en: "Lists pipelines in the order in which events are matched, with their stages and open executions",
    ko: "파이프라인을 이벤트와 맞춰 보는 순서대로, 단계와 진행 중인 실행 수와 함께 보여 줍니다",
  },
  example: "andon pipeline list",
  options: pagingOptions,
  async run({ options, clientOf, out }) {
    const page = await clientOf(FILEFLOW_ROUTES).pipelines.list(options);
    showPage(out, page, [
      { head: out.say(PIPELINE.code), of: ({ code }) => code, isKept: true },
      {
        head: out.say(PIPELINE.takes),
        of: ({ code, match }) => {
          const { mimeTypes, tenantIds, buckets, prefix } = match;
          const conditions = [...mimeTypes, ...tenantIds, ...buckets, ...(prefix ? [`${prefix}*`] : [])];
          if (conditions.length > 0) return conditions.join(", ");
          return out.say(code === DEFAULT ? PIPELINE.takesRest : PIPELINE.takesNamed);
        },
        isLong: true,
      },
      {
        head: out.say(PIPELINE.stages),
        of: ({ stages }) => stages.map(({ name }) => name).join(" → "),
        isLong: true,
      },
      {
        head: out.say(PIPELINE.pending),
        of: ({ executions }) => bounded(executions.pending, executions),
        side: "right",
      },
      {
        head: out.say(PIPELINE.running),
        of: ({ executions }) => bounded(executions.running, executions),
        side: "right",
      },
    ]);
    return undefined;
  },
});

/** A count with `+` if counting stopped early. */
const bounded = (count: number, { more }: { more: boolean }) => `${count}${more ? "+" : ""}`;
