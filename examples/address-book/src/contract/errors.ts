import { defineErrors } from "@andon/contract";

export const ADDRESS_ERRORS = {
  ADDRESS_TAKEN: {
    status: 409,
    en: "{email} is in the address book already.",
    ko: "{email}은(는) 이미 주소록에 있습니다.",
  },
} as const;

export class AddressError extends defineErrors(ADDRESS_ERRORS) {}
