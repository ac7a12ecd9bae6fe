import { defineErrors } from "@andon/contract";

/** The errors of this app; all others come from the core's catalogue. */
export const STUDIO_ERRORS = {
  TASK_NOT_FOUND: { status: 404, en: "The task was not found.", ko: "작업을 찾을 수 없습니다." },
  TASK_IMAGE_NOT_FOUND: {
    status: 404,
    en: "The task has no image {number}.",
    ko: "작업에 {number}번 이미지가 없습니다.",
  },
  TASK_VIDEO_NOT_READY: {
    status: 404,
    en: "The film of this task is not rendered yet.",
    ko: "이 작업의 영상이 아직 만들어지지 않았습니다.",
  },
  TASK_STATE: {
    status: 409,
    en: "The task is {type}/{status}, which does not allow this ({action}).",
    ko: "작업이 {type}/{status} 상태라서 이 동작({action})을 할 수 없습니다.",
  },
  TASK_RETRIES: {
    status: 409,
    en: "The task has been retried {retryCount} times in this phase; at most {maxRetries} are allowed. An administrator can force another one.",
    ko: "이 단계에서 이미 {retryCount}번 재시도했습니다. 최대 {maxRetries}번까지 가능하며, 관리자는 강제로 재시도할 수 있습니다.",
  },
  TASK_IMAGE_TYPE: {
    status: 415,
    en: '"{name}" is not an image that can be used. Allowed: JPEG, PNG, WebP, GIF.',
    ko: '"{name}"은(는) 사용할 수 있는 이미지가 아닙니다. JPEG, PNG, WebP, GIF만 가능합니다.',
  },
  TASK_IMAGE_TOO_LARGE: {
    status: 413,
    en: '"{name}" is too large. Allowed: {largest}.',
    ko: '"{name}"이(가) 너무 큽니다. 허용 크기: {largest}.',
  },
  TASK_IMAGES_TOO_MANY: {
    status: 409,
    en: "The task would have more than {most} images.",
    ko: "작업의 이미지는 최대 {most}개입니다.",
  },
  TASK_FILES_FAILED: {
    status: 503,
    en: "The files of the task cannot be stored or read now: {problem}",
    ko: "작업 파일을 지금 저장하거나 읽을 수 없습니다: {problem}",
  },
} as const;

export class StudioError extends defineErrors(STUDIO_ERRORS) {}
