import type { AppWords } from "@andon/console/app";

/**
 * The names that the core's pages show for this app's own codes. Separate from the words of its rooms, because they are part
 * of the first load.
 */
export const STUDIO_CODES: Readonly<Record<"ko" | "en", AppWords>> = {
  ko: {
    actions: {
      "task.retry": "영상 작업 재시도",
      "task.cancel": "영상 작업 취소",
      "task.delete": "영상 작업 삭제",
      "task.images": "이미지 추가",
    },
    hints: {
      TASK_NOT_FOUND: "삭제되었거나 주소가 잘못되었습니다.",
      TASK_STATE: "그사이 상태가 바뀌었습니다. 이제 현재 상태가 표시됩니다.",
      TASK_RETRIES: "원인을 해결한 뒤 관리자에게 강제 재시도를 요청하거나, 작업을 취소하고 새로 만드세요.",
      TASK_IMAGE_TYPE: "아무것도 저장되지 않았습니다. 그 파일을 빼고 다시 올리세요.",
      TASK_IMAGE_TOO_LARGE:
        "아무것도 저장되지 않았습니다. 이미지를 줄이거나 studio.images.largest를 올리세요.",
      TASK_IMAGES_TOO_MANY: "아무것도 저장되지 않았습니다. 더 적은 이미지를 올리세요.",
      TASK_FILES_FAILED: "저장소의 공간과 연결을 확인한 뒤 다시 시도하세요.",
    },
  },
  en: {
    actions: {
      "task.retry": "Retried the film task",
      "task.cancel": "Cancelled the film task",
      "task.delete": "Deleted the film task",
      "task.images": "Added images",
    },
    hints: {
      TASK_NOT_FOUND: "It was deleted, or the address is wrong.",
      TASK_STATE: "Its state has changed meanwhile. The page now shows the current one.",
      TASK_RETRIES:
        "Remove the cause and ask an administrator to force a retry, or cancel the task and make a new one.",
      TASK_IMAGE_TYPE: "Nothing was stored. Leave that file out and upload the others again.",
      TASK_IMAGE_TOO_LARGE: "Nothing was stored. Make the image smaller, or raise studio.images.largest.",
      TASK_IMAGES_TOO_MANY: "Nothing was stored. Upload fewer images.",
      TASK_FILES_FAILED: "Check the space and the connection of the storage, then try again.",
    },
  },
};
