import { useLanguage } from "@andon/console/room";

const en = {
  title: "Addresses",
  name: "Name",
  email: "E-mail",
  state: "State",
  states: { NEW: "Not checked yet", CHECKED: "Checked" },
  none: "The address book is empty",
  noneHint: "Add the first address above. A job checks it.",
  add: "Add address",
  added: (email: string) => `${email} was added. A job checks it now.`,
  about: "Checks the address",
};

const ko: typeof en = {
  title: "주소록",
  name: "이름",
  email: "이메일",
  state: "상태",
  states: { NEW: "확인 전", CHECKED: "확인됨" },
  none: "주소록이 비어 있습니다",
  noneHint: "위에서 첫 주소를 추가하세요. 작업이 주소를 확인합니다.",
  add: "주소 추가",
  added: (email) => `${email} 주소를 추가했습니다. 작업이 확인합니다.`,
  about: "확인할 주소",
};

/** The words of the room, in the reader's language. */
export function useAddressWords(): typeof en {
  return { en, ko }[useLanguage()];
}
