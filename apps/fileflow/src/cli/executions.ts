import { command, localTime, pagingOptions, showPage } from "@andon/cli/app";
import { FILEFLOW_ROUTES } from "../contract/routes.ts";
import { EXECUTION_STATUSES, TRIGGER_TYPES } from "../contract/states.ts";
import { PIPELINE } from "./i18n.ts";
import { colourOf, errorOf, objectOf, tookOf } from "./shown.ts";

export const pipelineExecutions = command({
  name: "pipeline executions",
  says: {
    en: "Lists executions, newest first: status, object, stage and error",
    ko: "실행을 최신순으로 보여 줍니다. 상태, 오브젝트, 단계, 오류가 나옵니다",
  },
  example: "andon pipeline executions --status FAILED --from 2026-01-20T00:00:00Z",
  options: {
    status: { says: PIPELINE.filterStatus, value: "status", choices: EXECUTION_STATUSES },
    from: { says: PIPELINE.filterFrom, value: "time", time: true },
    to: { says: PIPELINE.filterTo, value: "time", time: true },
    tenant: { says: PIPELINE.filterTenant, value: "tenant" },
    org: { says: PIPELINE.filterOrg, value: "organisation" },
    pipeline: { says: PIPELINE.filterPipeline, value: "code" },
    trigger: { says: PIPELINE.filterTrigger, value: "trigger", choices: TRIGGER_TYPES },
    file: { says: PIPELINE.filterFile, value: "id" },
    ...pagingOptions,
  },
  async run({ options, clientOf, out }) {
    const { tenant, org, pipeline, trigger, file, ...rest } = options;
    const filter = {
      tenantId: tenant,
      orgId: org,
      pipelineCode: pipeline,
      triggerType: trigger,
      fileId: file,
    };
    const page = await clientOf(FILEFLOW_ROUTES).executions.list({ ...rest, ...filter });
    showPage(out, page, [
      { head: out.say(PIPELINE.execution), of: ({ executionId }) => executionId, isKept: true },
      {
        head: out.say(PIPELINE.status),
        of: ({ status }) => status,
        colour: ({ status }) => colourOf(status),
      },
      { head: out.say(PIPELINE.object), of: objectOf, isLong: true },
      { head: out.say(PIPELINE.code), of: ({ pipelineCode }) => pipelineCode },
      { head: out.say(PIPELINE.stage), of: ({ stage }) => stage },
      { head: out.say(PIPELINE.took), of: ({ durationMs }) => tookOf(durationMs), side: "right" },
      { head: out.say(PIPELINE.created), of: ({ createdAt }) => localTime(createdAt) },
      { head: out.say(PIPELINE.error), of: ({ error }) => errorOf(error), isLong: true },
    ]);
    return undefined;
  },
});
