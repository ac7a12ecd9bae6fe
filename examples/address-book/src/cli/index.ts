import { command, defineCliApp, pagingOptions, showPage } from "@andon/cli/app";
import { ADDRESS_ROUTES } from "../contract/routes.ts";

const WORDS = {
  name: { en: "Name", ko: "이름" },
  email: { en: "E-mail", ko: "이메일" },
  state: { en: "State", ko: "상태" },
};

const list = command({
  name: "addresses list",
  isDefault: true,
  says: { en: "Lists the addresses by name", ko: "주소를 이름순으로 보여 줍니다" },
  example: "andon addresses list",
  options: pagingOptions,
  async run({ options, clientOf, out }) {
    showPage(out, await clientOf(ADDRESS_ROUTES).addresses.list(options), [
      { head: out.say(WORDS.name), of: ({ name }) => name },
      { head: out.say(WORDS.email), of: ({ email }) => email },
      { head: out.say(WORDS.state), of: ({ state }) => state },
    ]);
    return undefined;
  },
});

export default defineCliApp({
  name: "address-book",
  commands: [list],
  groups: { addresses: { en: "The address book", ko: "주소록" } },
});
