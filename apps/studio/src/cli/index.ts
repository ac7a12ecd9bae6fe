import { defineCliApp } from "@andon/cli/app";
import { taskAdd } from "./add.ts";
import { taskCancel, taskDelete, taskRetry } from "./decisions.ts";
import { espeak, ffmpeg, ffprobe, fonts } from "./doctor.ts";
import { taskImages } from "./images.ts";
import { taskCounts, taskList, taskShow } from "./list.ts";
import { taskWatch } from "./watch.ts";

/** What this app adds to the command `andon`. */
export default defineCliApp({
  name: "studio",
  commands: [
    taskAdd,
    taskList,
    taskCounts,
    taskShow,
    taskRetry,
    taskCancel,
    taskImages,
    taskWatch,
    taskDelete,
  ],
  groups: {
    task: {
      en: "Film tasks: schedule, script, images, video, YouTube",
      ko: "영상 작업: 예약, 대본, 이미지, 영상, 유튜브",
    },
  },
  hints: {
    TASK_NOT_FOUND: { en: "List the tasks: andon task list", ko: "작업 목록: andon task list" },
    TASK_STATE: { en: "Show its state: andon task show <id>", ko: "현재 상태: andon task show <id>" },
    TASK_RETRIES: {
      en: "An administrator can go beyond it: andon task retry <id> --force",
      ko: "관리자는 강제로 재시도할 수 있습니다: andon task retry <id> --force",
    },
    TASK_IMAGE_TYPE: {
      en: "Nothing was stored. Leave that file out and send the others again.",
      ko: "아무것도 저장되지 않았습니다. 그 파일을 빼고 다시 보내세요.",
    },
  },
  doctor: [ffmpeg, ffprobe, espeak, fonts],
});
