import { command, heldBackText, type Output, onOneLine, reasonOption, reasonRequired } from "@andon/cli/app";
import { VAULT_ROUTES } from "../contract/routes.ts";
import { VAULT } from "./i18n.ts";

const given = { fileId: { says: VAULT.fileId } } as const;

export const vaultRetry = command({
  name: "vault retry",
  says: {
    en: "Queues the failed operation of a held file again, with fresh attempts; its later operations follow",
    ko: "보류된 파일의 실패한 작업을 다시 넣고 시도 횟수를 새로 셉니다. 뒤의 작업이 이어서 진행됩니다",
  },
  example: "andon vault retry 0198c0de-0000-7000-8000-000000000000",
  given,
  options: reasonOption,
  async run({ given: { fileId }, options: { reason }, clientOf, out }) {
    const vault = clientOf(VAULT_ROUTES);
    const answer = await vault.syncQueue.retry({ fileId, reason });
    out.answer(answer, () => onOneLine(answer.message));
    return undefined;
  },
});

export const vaultSkip = command({
  name: "vault skip",
  says: {
    en: "Skips the failed operation of a held file, and says whether the right bytes are on the NAS; its later operations continue",
    ko: "보류된 파일의 실패한 작업을 수동 처리 완료로 표시하고, NAS에 올바른 내용이 있는지 알려 줍니다. 뒤의 작업은 계속됩니다",
  },
  example: 'andon vault skip 0198c0de-0000-7000-8000-000000000000 --reason "copied by hand"',
  given,
  options: reasonRequired,
  async run({ given: { fileId }, options: { reason }, clientOf, out }) {
    const vault = clientOf(VAULT_ROUTES);
    const answer = await vault.syncQueue.skip({ fileId, reason });
    const { availabilityStatus: availability } = answer;
    out.answer(answer, () => `${messageIn(answer, out)}\n${out.say(VAULT.availability, { availability })}`);
    return undefined;
  },
});

export const vaultCancel = command({
  name: "vault cancel",
  says: {
    en: "Skips the failed operation of a held file, and cancels its operations that wait behind it",
    ko: "보류된 파일의 실패한 작업을 수동 처리 완료로 표시하고 뒤에 대기하는 작업을 모두 취소합니다",
  },
  example: 'andon vault cancel 0198c0de-0000-7000-8000-000000000000 --reason "no longer needed"',
  given,
  options: reasonOption,
  async run({ given: { fileId }, options: { reason }, clientOf, out }) {
    const vault = clientOf(VAULT_ROUTES);
    const answer = await vault.syncQueue.cancel({ fileId, reason });
    out.answer(answer, () => messageIn(answer, out));
    return undefined;
  },
});

interface Decided {
  readonly message: string;
  readonly pendingDecision?: Parameters<typeof heldBackText>[0] | undefined;
}

function messageIn({ message, pendingDecision }: Decided, out: Output): string {
  return pendingDecision ? heldBackText(pendingDecision, out) : onOneLine(message);
}
