import { WORDS } from "../i18n/words.ts";
import { command } from "../terminal/command.ts";
import { pagingOptions, queueArgument, queueOf } from "../terminal/common-options.ts";
import { showPage } from "../terminal/pages.ts";
import { ago } from "../terminal/times.ts";

export const lanes = command({
  name: "lanes",
  says: {
    en: "Lists the lanes of a queue, of all tenants or with --tenant of one; with --held only held lanes, longest held first",
    ko: "큐의 레인을 모든 테넌트에 대해, --tenant를 붙이면 한 테넌트에 대해 보여 줍니다. --held를 붙이면 보류된 레인만 오래 보류된 순서로 보여 줍니다",
  },
  example: "andon lanes {queue} --held",
  given: queueArgument,
  options: {
    held: { says: { en: "only held lanes", ko: "보류된 레인만" } },
    tenant: { says: { en: "only lanes of this tenant", ko: "이 테넌트의 레인만" }, value: "tenant" },
    ...pagingOptions,
  },
  async run({ defaultQueue, given, options, client, out }) {
    const { held, tenant, ...paging } = options;
    const page = await client.lanes.list({
      queue: queueOf({ defaultQueue }, given.queue),
      ...paging,
      ...(tenant === undefined ? { allTenants: "true" } : { tenantId: tenant }),
      ...(held ? { held: "true" } : {}),
    });
    showPage(out, page, [
      { head: out.say(WORDS.key), of: ({ key }) => key, isLong: true },
      { head: out.say(WORDS.tenant), of: ({ tenantId }) => tenantId },
      { head: out.say(WORDS.depth), of: ({ depth }) => depth, side: "right" },
      {
        head: out.say(WORDS.held),
        of: (lane) => lane.held && `${lane.held.kind}, ${ago(lane.held.at, out.language)}`,
        colour: () => "yellow",
      },
      { head: out.say(WORDS.by), of: (lane) => lane.held?.by ?? null },
      {
        head: out.say(WORDS.reason),
        of: (lane) => lane.held?.error ?? lane.held?.reason ?? null,
        isLong: true,
      },
    ]);
    return undefined;
  },
});
