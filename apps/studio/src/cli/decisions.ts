import {
  command,
  EXIT,
  HELP,
  heldBackText,
  isConfirmed,
  needTerminal,
  onOneLine,
  reasonOption,
} from "@andon/cli/app";
import { STUDIO_ROUTES } from "../contract/routes.ts";
import { TASK } from "./i18n.ts";

const given = { id: { says: TASK.taskId } } as const;
const EXAMPLE_ID = "0198c0de-0000-7000-8000-000000000000";

export const taskRetry = command({
  name: "task retry",
  says: {
    en: "Tries the failed phase of a task again",
    ko: "작업의 실패한 단계를 다시 시도합니다",
  },
  example: `andon task retry ${EXAMPLE_ID} --reason "ffmpeg is installed now"`,
  given,
  options: {
    force: {
      says: {
        en: "retry beyond the allowed number of retries; needs the permission admin",
        ko: "허용 횟수를 넘어 재시도. admin 권한이 필요합니다",
      },
    },
    ...reasonOption,
  },
  async run({ given: { id }, options: { force, reason }, clientOf, out }) {
    const answer = await clientOf(STUDIO_ROUTES).tasks.retry({ id, reason, ...(force ? { force } : {}) });
    out.answer(answer, () => out.say(TASK.retried, answer));
    return undefined;
  },
});

export const taskCancel = command({
  name: "task cancel",
  says: {
    en: "Cancels a task for good and stops its work; uploaded images stay until the task is deleted",
    ko: "작업을 완전히 취소하고 진행 중인 일을 멈춥니다. 올린 이미지는 작업을 삭제할 때까지 남습니다",
  },
  example: `andon task cancel ${EXAMPLE_ID}`,
  given,
  options: reasonOption,
  async run({ given: { id }, options: { reason }, clientOf, out }) {
    const answer = await clientOf(STUDIO_ROUTES).tasks.cancel({ id, reason });
    const { pendingDecision: held, ...task } = answer;
    out.answer(answer, () =>
      held
        ? heldBackText(held, out)
        : out.say(task.status === "cancelled" ? TASK.made : TASK.cancelling, task),
    );
    return undefined;
  },
});

export const taskDelete = command({
  name: "task delete",
  says: {
    en: "Deletes a task that is not running, with all its files; asks first",
    ko: "처리 중이 아닌 작업을 모든 파일과 함께 삭제합니다. 먼저 확인을 받습니다",
  },
  example: `andon task delete ${EXAMPLE_ID} --yes`,
  given,
  options: { ...reasonOption, yes: { says: HELP.yes } },
  async run(use) {
    const { given, options, clientOf, out } = use;
    const { tasks } = clientOf(STUDIO_ROUTES);
    if (!options.yes) {
      needTerminal(use);
      const { title, type, status } = await tasks.show(given);
      out.aside(out.say(TASK.deleteWhat, { title: onOneLine(title), type, status }));
      if (!(await isConfirmed(use))) {
        out.note(TASK.notDeleted);
        return EXIT.refused;
      }
    }
    const answer = await tasks.remove({ id: given.id, reason: options.reason });
    out.answer(answer, () => out.say(TASK.deleted, { taskId: answer.taskId }));
    return undefined;
  },
});
