import type { Localized } from "@andon/contract";

/** Reasons of faults that more than one driver reports. */

export function otherSize(found: number | bigint | undefined, expected: number | undefined): Localized {
  return { en: `${found} bytes, not ${expected}`, ko: `${expected}바이트가 아니라 ${found}바이트입니다` };
}

export const OTHER_BYTES: Localized = { en: "other bytes", ko: "내용이 다릅니다" };

export function keptInPart(kept: number, expected: number): Localized {
  return {
    en: `${kept} of ${expected} bytes were kept`,
    ko: `${expected}바이트 중 ${kept}바이트만 저장되었습니다`,
  };
}
