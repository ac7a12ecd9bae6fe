import type { AppWords } from "@andon/console/app";

/**
 * The texts for the vault's own codes on the pages of the core. A file of its own, because the first page load contains
 * it.
 */
export const VAULT_CODES: Readonly<Record<"ko" | "en", AppWords>> = {
  ko: {
    actions: {
      "file.purge": "파일 영구 삭제",
      "file.restore": "파일 복원",
      "folder.restore": "폴더 복원",
      "drift.start": "저장소·캐시·NAS 대조",
      "drift.repair": "차이 복구",
    },
    hints: {
      NAME_TAKEN: "다른 이름을 쓰거나, 그 이름을 가진 항목의 이름을 바꾸거나 옮기세요.",
      INVALID_NAME: "1~255바이트, / \\ 와 제어 문자 없이 써 주세요. Andon이 쓰는 이름도 사용할 수 없습니다.",
      PARENT_TRASHED: "상위 폴더를 먼저 복원하세요.",
      FOLDER_NOT_EMPTY: "안의 항목을 먼저 삭제하거나 옮기세요.",
      FOLDER_CYCLE: "하위가 아닌 폴더를 고르세요.",
      FILE_NOT_HELD: "그사이 다른 사람이 결정했을 수 있습니다. 이제 현재 상태가 표시됩니다.",
      UPLOAD_TOO_LARGE: "파일을 나누거나 maxUploadSize 한도를 올리세요.",
      CACHE_FAILED: "저장된 것이 없습니다. 캐시의 공간을 확보한 뒤 다시 시도하세요.",
    },
  },
  en: {
    actions: {
      "file.purge": "Deleted the file for good",
      "file.restore": "Restored the file",
      "folder.restore": "Restored the folder",
      "drift.start": "Compared store, cache and NAS",
      "drift.repair": "Repaired what differed",
    },
    hints: {
      NAME_TAKEN: "Choose another name, or rename or move what has it now.",
      INVALID_NAME: "Use 1 to 255 bytes, no / or \\ and no control characters; some names are Andon's own.",
      PARENT_TRASHED: "Restore the folder above first.",
      FOLDER_NOT_EMPTY: "Delete or move what is in it first.",
      FOLDER_CYCLE: "Choose a folder that is not below it.",
      FILE_NOT_HELD: "Somebody else may have decided meanwhile. The page now shows the current state.",
      UPLOAD_TOO_LARGE: "Split the file, or have the limit maxUploadSize raised.",
      CACHE_FAILED: "Nothing of it was kept. Free space in the cache, then try again.",
    },
  },
};
