import { defineErrors } from "@andon/contract";

/** Every error of the vault itself; the others are in the core's catalogue. */
export const VAULT_ERRORS = {
  INVALID_NAME: {
    status: 400,
    en: 'The name "{name}" cannot be used: {problem}.',
    ko: '이름 "{name}"은(는) 사용할 수 없습니다: {problem}.',
  },
  FOLDER_ALREADY_TRASHED: {
    status: 400,
    en: "The folder is in the trash already.",
    ko: "이미 휴지통에 있는 폴더입니다.",
  },
  ROOT_FOLDER: {
    status: 400,
    en: "The root folder cannot be changed.",
    ko: "최상위 폴더는 변경할 수 없습니다.",
  },
  FOLDER_PATH_TOO_LONG: {
    status: 400,
    en: "The path would be too long: at most {depth} folders and {bytes} bytes are possible.",
    ko: "경로가 너무 깁니다. 폴더는 {depth}단계, 경로는 {bytes}바이트까지 가능합니다.",
  },
  UPLOAD_INCOMPLETE: {
    status: 400,
    en: "The upload is not complete: {problem}.",
    ko: "업로드가 완전하지 않습니다: {problem}.",
  },
  FILE_NOT_FOUND: { status: 404, en: "The file was not found.", ko: "파일을 찾을 수 없습니다." },
  FOLDER_NOT_FOUND: { status: 404, en: "The folder was not found.", ko: "폴더를 찾을 수 없습니다." },
  DRIFT_RUN_NOT_FOUND: {
    status: 404,
    en: "There is no comparison {run}.",
    ko: "비교 {run}을(를) 찾을 수 없습니다.",
  },
  NAME_TAKEN: {
    status: 409,
    en: 'The name "{name}" is taken in this folder.',
    ko: '이 폴더에 같은 이름 "{name}"이(가) 이미 있습니다.',
  },
  PARENT_TRASHED: {
    status: 409,
    en: "The folder above is in the trash.",
    ko: "상위 폴더가 휴지통에 있습니다.",
  },
  FILE_TRASHED: {
    status: 409,
    en: "The file is in the trash: {hint}.",
    ko: "파일이 휴지통에 있습니다. {hint}.",
  },
  NOT_TRASHED: { status: 409, en: "It is not in the trash.", ko: "휴지통에 있지 않습니다." },
  FILE_NOT_HELD: {
    status: 409,
    en: "The file is not held: no operation of it has failed.",
    ko: "보류된 파일이 아닙니다. 실패한 작업이 없습니다.",
  },
  FOLDER_CYCLE: {
    status: 409,
    en: "A folder cannot be moved below itself.",
    ko: "폴더를 자기 자신의 하위로 이동할 수 없습니다.",
  },
  FOLDER_NOT_EMPTY: {
    status: 409,
    en: "The folder has files or folders in it: delete them first.",
    ko: "폴더 안에 파일 또는 하위 폴더가 있어 삭제할 수 없습니다. 먼저 내부 항목을 삭제해주세요.",
  },
  FOLDER_SYNC_PENDING: {
    status: 409,
    en: "{count} {count:operation|operations} below this folder {count:is|are} not on the NAS yet: try again when {count:it is|they are}.",
    ko: "이 폴더 아래에 아직 NAS에 반영되지 않은 작업이 {count}개 있습니다. 끝난 뒤 다시 시도하세요.",
  },
  BYTES_MISSING: {
    status: 409,
    en: "The bytes of this file are neither in the cache nor on the NAS.",
    ko: "이 파일의 내용이 캐시와 NAS 어디에도 없습니다.",
  },
  UPLOAD_TOO_LARGE: {
    status: 413,
    en: "The file is larger than {most} bytes.",
    ko: "파일이 {most}바이트를 넘습니다.",
  },
  NAS_SYNC_FAILED: {
    status: 500,
    en: "The NAS did not take the change. Nothing was changed: try again in a while.",
    ko: "NAS 동기화에 실패했습니다. 잠시 후 다시 시도해주세요.",
  },
  CACHE_FAILED: {
    status: 503,
    en: "The cache does not take files at the moment: {problem}.",
    ko: "지금은 캐시에 파일을 저장할 수 없습니다: {problem}.",
  },
  NAS_UNREACHABLE: {
    status: 503,
    en: "The NAS cannot be reached at the moment, and the cache does not give the bytes of this file: {problem}.",
    ko: "지금은 NAS에 연결할 수 없고, 캐시에서도 이 파일의 내용을 읽을 수 없습니다: {problem}.",
  },
  CACHE_UNREACHABLE: {
    status: 503,
    en: "The cache cannot be reached at the moment, and the NAS does not give the bytes of this file: {problem}.",
    ko: "지금은 캐시에 연결할 수 없고, NAS에서도 이 파일의 내용을 읽을 수 없습니다: {problem}.",
  },
} as const;

export class VaultError extends defineErrors(VAULT_ERRORS) {}
