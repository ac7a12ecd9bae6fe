import { defineErrors } from "@andon/contract";

/** The errors of this app; all others come from the core's catalogue. */
export const BROADCAST_ERRORS = {
  BULK_JOB_NOT_FOUND: {
    status: 404,
    en: "The bulk job was not found.",
    ko: "대량 작업을 찾을 수 없습니다.",
  },
  CHANNEL_NOT_FOUND: { status: 404, en: "The channel was not found.", ko: "채널을 찾을 수 없습니다." },
  BULK_STATE: {
    status: 409,
    en: "The bulk job is {state}, which does not allow this ({action}).",
    ko: "대량 작업이 {state} 상태라서 이 동작({action})을 할 수 없습니다.",
  },
  NAME_TAKEN: {
    status: 409,
    en: 'The channel id "{name}" belongs to another organisation of this tenant. Channels stored before it: {stored}.',
    ko: '채널 ID "{name}"은(는) 같은 테넌트의 다른 조직이 사용하고 있습니다. 그 전에 저장된 채널: {stored}개.',
  },
  IMPORT_TIMED_OUT: {
    status: 408,
    en: "The import timed out before its end: {received} channels were received and {stored} are stored. Send it again; channels that are stored stay as they are.",
    ko: "가져오기가 끝나기 전에 시간이 초과되었습니다. 받은 채널 {received}개 중 {stored}개가 저장되었습니다. 다시 보내면 저장된 채널은 그대로 유지됩니다.",
  },
  IMPORT_INCOMPLETE: {
    status: 503,
    en: "The import broke off: {received} channels were received and {stored} are stored. Send it again; channels that are stored stay as they are.",
    ko: "가져오기가 중단되었습니다. 받은 채널 {received}개 중 {stored}개가 저장되었습니다. 다시 보내면 저장된 채널은 그대로 유지됩니다.",
  },
} as const;

export class BroadcastError extends defineErrors(BROADCAST_ERRORS) {}
