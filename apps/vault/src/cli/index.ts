import { defineCliApp } from "@andon/cli/app";
import { vaultCancel, vaultRetry, vaultSkip } from "./decisions.ts";
import { demo } from "./demo/command.ts";
import { cache, nas } from "./doctor.ts";
import { vaultHeld } from "./held.ts";
import { nasInit } from "./nas-init.ts";
import { vaultSimulate } from "./simulate.ts";
import { vaultVerify } from "./verify.ts";

/** What the vault adds to the command `andon`. */
export default defineCliApp({
  name: "vault",
  commands: [demo, vaultHeld, vaultSimulate, vaultRetry, vaultSkip, vaultCancel, vaultVerify, nasInit],
  groups: {
    vault: { en: "Files: held ones, comparison with the NAS", ko: "파일: 보류된 파일, NAS와의 비교" },
    nas: { en: "The NAS that this machine's settings name", ko: "이 컴퓨터의 설정이 가리키는 NAS" },
  },
  hints: {
    FILE_NOT_HELD: { en: "Which files are held: andon vault held", ko: "보류된 파일 목록: andon vault held" },
    DRIFT_RUN_NOT_FOUND: {
      en: "Start a comparison: andon vault verify",
      ko: "비교 시작: andon vault verify",
    },
  },
  defaultQueue: "nas-sync",
  doctor: [cache, nas],
});
