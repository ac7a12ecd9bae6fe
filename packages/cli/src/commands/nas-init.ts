import { userInfo } from "node:os";
import type { lookAtPlaces, Settings } from "@andon/server";
import { isConfirmed, needTerminal } from "../kit/ask.ts";
import { command } from "../kit/command.ts";
import type { Connection } from "../kit/connection.ts";
import { EXIT } from "../kit/exit-codes.ts";
import { Failure } from "../kit/failures.ts";
import type { Output } from "../kit/output.ts";
import { serverEnvironment } from "../kit/server-environment.ts";
import { Interrupted } from "../kit/shell.ts";
import { HELP } from "../words/help.ts";
import type { Said } from "../words/said.ts";
import { VAULT } from "../words/vault.ts";
import { WORDS } from "../words/words.ts";

type NasLook = Awaited<ReturnType<typeof lookAtPlaces>>["nas"];

export const nasInit = command({
  name: "nas init",
  says: {
    en: "Makes the NAS of this machine's settings the one that is written to: marks it where it has no mark, and remembers its mark. Shows what it found and asks first",
    ko: "이 컴퓨터의 설정이 가리키는 NAS를 사용할 NAS로 등록합니다. 표식이 없으면 만들고 저장소에 기록합니다. 찾은 것을 보여 주고 먼저 확인합니다",
  },
  example: "andon nas init",
  options: {
    config: { says: HELP.config, value: "file" },
    yes: { says: HELP.yes },
  },
  async run(use) {
    const { options, shell, out } = use;
    const { initNas, loadSettings, lookAtPlaces: look, withBuiltInApps } = await import("@andon/server");
    const settings = withBuiltInApps(await loadSettings(serverEnvironment(shell.env, options), shell.folder));
    if (settings.vault === false) throw new Failure(EXIT.refused, VAULT.nasOff);
    const connection = await use.connection.serverOf(settings);
    const { nas: before } = await look(settings);
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
    await initNas(settings as Settings, `local:${userInfo().username}`);
    const { nas: after } = await look(settings);
    out.answer(answerOf(after, true), () => `${shown(out, after)}\n${out.say(VAULT.nasDone)}`);
    if ((await nasOfServer(connection)) === false) out.note(VAULT.nasRestart, { url: connection.url });
    return undefined;
  },
});

/** A server that has its NAS looks at another one than this: whoever runs the command is in the wrong place. */
async function refuseOther(connection: Connection, { place }: NasLook): Promise<void> {
  if ((await nasOfServer(connection)) !== true) return;
  const facts = { url: connection.url, place };
  throw new Failure(EXIT.conflict, VAULT.nasDisagrees, facts, VAULT.nasDisagreesHint);
}

/** Whether the server says that its NAS is well; undefined where none answers, or it has no vault. */
async function nasOfServer(connection: Connection): Promise<boolean | undefined> {
  try {
    const { parts } = await connection.client({ withoutKey: true }).system.ready();
    return parts.find(({ name }) => name === "nas")?.ok;
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    return undefined;
  }
}

const MARKS: Readonly<Record<NasLook["mark"], Said>> = {
  ours: VAULT.markOurs,
  other: VAULT.markOther,
  unremembered: VAULT.markUnremembered,
  missing: VAULT.markMissing,
  none: VAULT.markNone,
  unknown: VAULT.nasEntriesUnknown,
};

function shown(out: Output, { place, mark, entries }: NasLook): string {
  return out.list([
    [out.say(VAULT.nasAddress), place],
    [out.say(VAULT.nasMark), out.say(MARKS[mark]), mark === "ours" ? "green" : "yellow"],
    [out.say(VAULT.nasEntries), entries ?? out.say(VAULT.nasEntriesUnknown)],
  ]);
}

function answerOf({ place, mark, entries }: NasLook, changed: boolean) {
  return { changed, place, mark, entries: entries ?? null };
}
