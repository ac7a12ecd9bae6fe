/**
 * Everything that can go wrong with a storage, and whose fault it is. A fault of the `destination` (every other file
 * would fail the same way) stops the whole queue; a fault of the `file` holds that file only.
 *
 * A failing destination can cause a `doubtful` code too: an unmounted share reports "no such file" for every file. A
 * driver checks the destination itself before it reports a doubtful code.
 */
export const FAULTS = {
  UNREACHABLE: {
    fault: "destination",
    en: "{place} cannot be reached",
    ko: "{place}에 연결할 수 없습니다",
  },
  TIMED_OUT: {
    fault: "destination",
    en: "{place} did not answer in time",
    ko: "{place}이(가) 제때 응답하지 않았습니다",
  },
  NOT_MOUNTED: {
    fault: "destination",
    en: "{place} is not there, or not mounted",
    ko: "{place}이(가) 없거나 마운트되지 않았습니다",
  },
  LOGIN: {
    fault: "destination",
    en: "{place} refuses our login",
    ko: "{place}의 인증에 실패했습니다",
  },
  UNTRUSTED: {
    fault: "destination",
    en: "{place} does not prove that it is the right server",
    ko: "{place}이(가) 올바른 서버인지 확인할 수 없습니다",
  },
  FULL: {
    fault: "destination",
    en: "{place} is full, or its quota is used up",
    ko: "{place}의 공간이나 할당량이 부족합니다",
  },
  READ_ONLY: {
    fault: "destination",
    en: "{place} is read-only",
    ko: "{place}은(는) 읽기 전용입니다",
  },
  BROKEN: {
    fault: "destination",
    en: "{place} reports an input/output error",
    ko: "{place}에서 입출력 오류가 발생했습니다",
  },
  BUSY: {
    fault: "destination",
    en: "{place} is overloaded or out of service",
    ko: "{place}이(가) 과부하이거나 서비스할 수 없는 상태입니다",
  },
  EXHAUSTED: {
    fault: "destination",
    en: "This machine has no handles or memory left to use {place}",
    ko: "이 서버의 핸들이나 메모리가 부족하여 {place}을(를) 사용할 수 없습니다",
  },
  PROGRAM_MISSING: {
    fault: "destination",
    en: "This machine lacks a program to use {place}",
    ko: "이 서버에 {place}을(를) 사용하는 데 필요한 프로그램이 없습니다",
  },
  NOT_SUPPORTED: {
    fault: "destination",
    en: "{place} does not support this operation",
    ko: "{place}은(는) 이 동작을 지원하지 않습니다",
  },
  NAME_REFUSED: {
    fault: "file",
    en: 'The name in "{path}" is refused',
    ko: '"{path}"의 이름은 사용할 수 없습니다',
  },
  NAME_TOO_LONG: {
    fault: "file",
    en: '"{path}" is too long for {place}',
    ko: '"{path}"은(는) {place}에 쓰기에 너무 깁니다',
  },
  LINK_REFUSED: {
    fault: "file",
    en: '"{path}" goes through a symbolic link that is not followed',
    ko: '"{path}"은(는) 따라가지 않는 심볼릭 링크를 거칩니다',
  },
  DENIED: {
    fault: "file",
    doubtful: true,
    en: '{place} denies access to "{path}"',
    ko: '{place}에서 "{path}"에 접근할 권한이 없습니다',
  },
  NOT_A_FILE: { fault: "file", en: '"{path}" is not a file', ko: '"{path}"은(는) 파일이 아닙니다' },
  NOT_A_FOLDER: {
    fault: "file",
    doubtful: true,
    en: 'A part of "{path}" is not a folder',
    ko: '"{path}" 경로에 폴더가 아닌 것이 있습니다',
  },
  FOLDER_NOT_EMPTY: {
    fault: "file",
    en: 'The folder "{path}" is not empty',
    ko: '폴더 "{path}"이(가) 비어 있지 않습니다',
  },
  TARGET_EXISTS: {
    fault: "file",
    en: 'Something else already lies at "{path}", and nothing is overwritten',
    ko: '"{path}"에 이미 다른 것이 있어 덮어쓰지 않았습니다',
  },
  SOURCE_MISSING: {
    fault: "file",
    doubtful: true,
    en: '"{path}" is not in {place}',
    ko: '{place}에 "{path}"이(가) 없습니다',
  },
  SOURCE_CHANGED: {
    fault: "file",
    en: '"{path}" is not what was expected',
    ko: '"{path}"의 내용이 예상과 다릅니다',
  },
  CHECKSUM_MISMATCH: {
    fault: "file",
    en: 'The bytes for "{path}" do not match their size or checksum',
    ko: '"{path}"에 쓸 데이터의 크기나 체크섬이 맞지 않습니다',
  },
  TEMPORARY_GONE: {
    fault: "file",
    en: 'The unfinished upload to "{path}" was removed by a newer one',
    ko: '"{path}"의 미완료 업로드가 새 업로드에 의해 제거되었습니다',
  },
  TOO_LARGE: {
    fault: "file",
    en: '"{path}" is larger than {place} takes',
    ko: '"{path}"이(가) {place}의 최대 크기를 넘습니다',
  },
  IN_USE: { fault: "file", en: '"{path}" is in use', ko: '"{path}"이(가) 사용 중입니다' },
  OTHER_DEVICE: {
    fault: "file",
    en: '"{path}" lies on another device below the same root',
    ko: '"{path}"은(는) 같은 루트 아래의 다른 장치에 있습니다',
  },
  UNKNOWN: {
    fault: "file",
    doubtful: true,
    en: '{place} failed on "{path}"',
    ko: '{place}에서 "{path}"을(를) 처리하지 못했습니다',
  },
} as const satisfies Record<
  string,
  { fault: "destination" | "file"; doubtful?: true; en: string; ko: string }
>;

export type FaultCode = keyof typeof FAULTS;
export type Fault = (typeof FAULTS)[FaultCode]["fault"];

export function isDoubtful(code: FaultCode): boolean {
  return "doubtful" in FAULTS[code];
}

/**
 * The fault of the destination if its root itself gives a file's code: then everything is missing or denied, not one
 * file.
 */
const DESTINATION_FAULTS: Partial<Record<FaultCode, FaultCode>> = {
  DENIED: "LOGIN",
  LINK_REFUSED: "NOT_MOUNTED",
  NOT_A_FOLDER: "NOT_MOUNTED",
  SOURCE_MISSING: "NOT_MOUNTED",
  UNKNOWN: "UNREACHABLE",
};

export function destinationFaultOf(code: FaultCode): FaultCode {
  return DESTINATION_FAULTS[code] ?? code;
}
