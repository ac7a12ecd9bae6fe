import { defineConsoleApp } from "@andon/console/app";
import { BookUser } from "lucide-react";

/** Part of the console's first load, so the components are loaded by `import()`. */
export default defineConsoleApp({
  name: "address-book",
  rooms: [
    {
      path: "/address-book",
      label: { en: "Addresses", ko: "주소록" },
      icon: BookUser,
      permission: "addresses.read",
      component: () => import("./address-room.tsx"),
    },
  ],
  queues: { "address-checks": { aboutJob: () => import("./job-address.tsx") } },
  words: {
    en: { hints: { ADDRESS_TAKEN: "Each e-mail address is in the book once. Choose another one." } },
    ko: { hints: { ADDRESS_TAKEN: "이메일 주소는 한 번만 등록할 수 있습니다. 다른 주소를 입력하세요." } },
  },
});
