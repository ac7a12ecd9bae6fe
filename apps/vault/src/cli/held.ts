import { command, localTime, pagingOptions, showPage, WORDS } from "@andon/cli/app";
import { VAULT_ROUTES } from "../contract/routes.ts";
import { VAULT } from "./i18n.ts";

export const vaultHeld = command({
  name: "vault held",
  says: {
    en: "Lists the held files, which wait for a person to decide, longest held first: the failed operation, its error, and how many operations wait behind it",
    ko: "보류되어 사람의 결정을 기다리는 파일을 오래 보류된 순서로 보여 줍니다. 실패한 작업과 오류, 뒤에 대기하는 작업 수를 함께 보여 줍니다",
  },
  example: "andon vault held",
  options: pagingOptions,
  async run({ options, clientOf, out }) {
    const vault = clientOf(VAULT_ROUTES);
    showPage(out, await vault.syncQueue.held(options), [
      { head: out.say(VAULT.file), of: ({ fileId }) => fileId },
      { head: out.say(VAULT.path), of: ({ path }) => path, isLong: true },
      { head: out.say(WORDS.held), of: ({ heldAt }) => localTime(heldAt) },
      { head: out.say(VAULT.failedOperation), of: ({ operation }) => operation },
      { head: out.say(WORDS.errorHead), of: ({ error }) => error, colour: () => "red", isLong: true },
      { head: out.say(VAULT.waitingBehind), of: ({ waitingBehind }) => waitingBehind, side: "right" },
    ]);
    return undefined;
  },
});
