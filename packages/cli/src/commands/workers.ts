import type { Answer } from "@andon/client";
import type { ROUTES } from "@andon/contract";
import { WORDS } from "../i18n/words.ts";
import { command } from "../terminal/command.ts";
import { pagingOptions } from "../terminal/common-options.ts";
import type { Output } from "../terminal/output.ts";
import { pageNote } from "../terminal/pages.ts";
import type { Column } from "../terminal/table.ts";
import { ago, localTime } from "../terminal/times.ts";

type Workers = Answer<(typeof ROUTES)["workers"]["list"]>;
type Worker = Workers["items"][number];
type Lost = Workers["lost"][number];

export const workers = command({
  name: "workers",
  says: {
    en: "Lists worker processes with their load and last heartbeat, and those that died in the last 7 days with the jobs they lost",
    ko: "워커 프로세스의 부하와 마지막 하트비트, 그리고 최근 7일 동안 죽은 워커와 처리하던 작업을 보여 줍니다",
  },
  example: "andon workers",
  options: pagingOptions,
  async run({ options, client, out }) {
    const page = await client.workers.list(options);
    out.answer(page, () => {
      const alive = [out.table(columnsOf(out), page.items), ...pageNote(out, page)];
      const lost = ["", out.say(WORDS.lostWorkers), out.table(lostColumns(out), page.lost)];
      return [...alive, ...(page.lost.length > 0 ? lost : [])].join("\n");
    });
    return undefined;
  },
});

function columnsOf(out: Output): Column<Worker>[] {
  return [
    { head: out.say(WORDS.id), of: ({ id }) => id, leaves: 1 },
    { head: out.say(WORDS.host), of: ({ host }) => host },
    { head: out.say(WORDS.process), of: ({ pid }) => pid, side: "right" },
    { head: out.say(WORDS.version), of: ({ version }) => version, leaves: 2 },
    { head: out.say(WORDS.since), of: ({ startedAt }) => ago(startedAt, out.language), leaves: 3 },
    {
      head: out.say(WORDS.lastBeat),
      of: ({ silentSince, lastBeatAt }) =>
        silentSince === null
          ? lastBeatAt && ago(lastBeatAt, out.language)
          : out.say(WORDS.silentFor, { at: localTime(silentSince) }),
      colour: ({ silentSince }) => (silentSince === null ? undefined : "red"),
    },
    {
      head: out.say(WORDS.load),
      of: ({ running, places }) => (places === null ? running : `${running}/${places}`),
      side: "right",
    },
    { head: out.say(WORDS.queues), of: ({ queues }) => queues.join(", "), isLong: true },
  ];
}

function lostColumns(out: Output): Column<Lost>[] {
  return [
    { head: out.say(WORDS.lost), of: ({ lostAt }) => localTime(lostAt) },
    { head: out.say(WORDS.host), of: ({ host }) => host },
    { head: out.say(WORDS.process), of: ({ pid }) => pid, side: "right" },
    { head: out.say(WORDS.version), of: ({ version }) => version, leaves: 1 },
    { head: out.say(WORDS.lostJobs), of: ({ jobs }) => jobs.join(", ") || null, isLong: true },
  ];
}
