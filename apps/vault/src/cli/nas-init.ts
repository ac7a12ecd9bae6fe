import { userInfo } from "node:os";
import {
  type Connection,
  command,
  EXIT,
  Failure,
  HELP,
  Interrupted,
  isConfirmed,
  type Localized,
  needTerminal,
  type Output,
  serverEnvironment,
  WORDS,
} from "@andon/cli/app";
import type { NasInspection } from "../nas/inspect-places.ts";
import { initNas } from "../nas/nas-identity.ts";
import { VAULT } from "./i18n.ts";
import { inspectSite, placesIn } from "./site-places.ts";

export const nasInit = command({
  name: "nas init",
  says: {
    en: "Registers the NAS of this machine's settings as the one that the vault writes to: marks it if it has no mark, and stores the mark in the database. Shows what it found and asks first",
    ko: "이 컴퓨터의 설정이 가리키는 NAS를 vault가 쓰는 NAS로 등록합니다. 표식이 없으면 만들고, 표식을 저장소에 기록합니다. 찾은 것을 먼저 보여 주고 확인을 받습니다",
  },
  example: "andon nas init",
  options: {
    config: { says: HELP.config, value: "file" },
    yes: { says: HELP.yes },
  },
  async run(use) {
    const { options, shell, out } = use;
    const { readSiteSnapshot, loadSettings, withStore } = await use.server();
    const env = serverEnvironment(shell.env, options);
    const settings = await loadSettings(env, shell.folder, await use.installed());
    const places = placesIn(settings);
    if (!places) throw new Failure(EXIT.refused, VAULT.nasOff);
    const inspectNas = async () => (await inspectSite(settings, readSiteSnapshot))?.nas as NasInspection;
    const connection = await use.connection.serverOf(settings);
    const before = await inspectNas();
    if (before.mark === "unknown") {
      const problem = before.problem?.in(use.language) ?? "";
      throw new Failure(EXIT.refused, VAULT.nasUnreadable, { place: before.place, problem });
    }
    if (before.mark === "ours") {
      out.answer(answerOf(before, false), () => `${shown(out, before)}\n${out.say(VAULT.nasKnown)}`);
      return undefined;
    }
    await refuseOther(connection, before);
    if (!options.yes) {
      needTerminal(use);
      out.aside(`${shown(out, before)}\n\n${out.say(VAULT.nasAsk)}`);
      if (!(await isConfirmed(use))) {
        out.note(WORDS.notApplied);
        return EXIT.refused;
      }
    }
    await withStore(settings, (store) => initNas(store, places.nas, `local:${userInfo().username}`));
    const after = await inspectNas();
    out.answer(answerOf(after, true), () => `${shown(out, after)}\n${out.say(VAULT.nasDone)}`);
    if ((await nasOfServer(connection)) === false) out.note(VAULT.nasRestart, { url: connection.url });
    return undefined;
  },
});

/** A server whose NAS is healthy uses another NAS than this one: the command runs in the wrong place. */
async function refuseOther(connection: Connection, { place }: NasInspection): Promise<void> {
  if ((await nasOfServer(connection)) !== true) return;
  const facts = { url: connection.url, place };
  throw new Failure(EXIT.conflict, VAULT.nasDisagrees, facts, VAULT.nasDisagreesHint);
}

/** Whether the server reports its NAS as healthy; undefined if no server answers or it has no vault. */
async function nasOfServer(connection: Connection): Promise<boolean | undefined> {
  try {
    const { parts } = await connection.client({ withoutKey: true }).system.ready();
    return parts.find(({ name }) => name === "nas")?.ok;
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    return undefined;
  }
}

const MARKS: Readonly<Record<NasInspection["mark"], Localized>> = {
  ours: VAULT.markOurs,
  other: VAULT.markOther,
  unremembered: VAULT.markUnremembered,
  missing: VAULT.markMissing,
  none: VAULT.markNone,
  unknown: VAULT.nasEntriesUnknown,
};

function shown(out: Output, { place, mark, entries }: NasInspection): string {
  return out.list([
    [out.say(VAULT.nasAddress), place],
    [out.say(VAULT.nasMark), out.say(MARKS[mark]), mark === "ours" ? "green" : "yellow"],
    [out.say(VAULT.nasEntries), entries ?? out.say(VAULT.nasEntriesUnknown)],
  ]);
}

function answerOf({ place, mark, entries }: NasInspection, changed: boolean) {
  return { changed, place, mark, entries: entries ?? null };
}
