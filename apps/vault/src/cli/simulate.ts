import { command } from "@andon/cli/app";
import { VAULT_ROUTES } from "../contract/routes.ts";
import { VAULT } from "./i18n.ts";

const OCCUPIED_BY = {
  file: VAULT.occupiedByFile,
  folder: VAULT.occupiedByFolder,
  other: VAULT.occupiedByOther,
};

export const vaultSimulate = command({
  name: "vault simulate",
  says: {
    en: "Compares retry, skip and cancel of a held file: where its bytes would be in the end; changes nothing",
    ko: "보류된 파일을 재시도하거나 건너뛰거나 취소하면 내용이 어디에 남는지 비교해 보여 줍니다. 아무것도 바꾸지 않습니다",
  },
  example: "andon vault simulate 0198c0de-0000-7000-8000-000000000000",
  given: { fileId: { says: VAULT.fileId } },
  async run({ given, clientOf, out }) {
    const vault = clientOf(VAULT_ROUTES);
    const answer = await vault.syncQueue.simulate({ fileId: given.fileId });
    const { occupied } = answer;
    const nowhere = out.say(VAULT.nowhere);
    out.answer(answer, () => {
      const facts = out.list([
        [out.say(VAULT.databasePath), answer.databasePath],
        [out.say(VAULT.nasPath), answer.nasPath ?? nowhere],
        [out.say(VAULT.occupied), occupied ? out.say(OCCUPIED_BY[occupied.kind], occupied) : null],
      ]);
      const choices = out.table(
        [
          { head: out.say(VAULT.choice), of: ({ action }) => action },
          { head: out.say(VAULT.endsAt), of: ({ endsAt }) => endsAt ?? nowhere, isLong: true },
          {
            head: out.say(VAULT.right),
            of: ({ matches }) => out.say(matches ? VAULT.yes : VAULT.no),
            colour: ({ matches }) => (matches ? "green" : "red"),
          },
          {
            head: out.say(VAULT.operations),
            of: ({ operations }) => operations.map(({ type, outcome }) => `${type} ${outcome}`).join(", "),
            isLong: true,
          },
        ],
        answer.choices,
      );
      return `${facts}\n\n${choices}`;
    });
    return undefined;
  },
});
