import type { JobAction, Permission } from "@andon/contract";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import {
  CirclePause,
  CirclePlay,
  CircleX,
  Keyboard,
  Languages,
  ListChecks,
  LogOut,
  type LucideIcon,
  Palette,
  Radio,
  RotateCcw,
  SkipForward,
  Trash2,
} from "lucide-react";
import { useEffect } from "react";
import type { JobDetail, QueueOverview } from "../api/client.ts";
import { pauseLive, resumeLive, useLiveState } from "../api/live.ts";
import { queries } from "../api/queries.ts";
import { useLanguage } from "../i18n/language.ts";
import { chooseLanguage, loadWords, useWords, useWordsIn } from "../i18n/words.ts";
import { decisionsAbout } from "../job/job-decision.tsx";
import { legalQueueActions, type QueueAction } from "../queue/queue-decision.tsx";
import { logout } from "../session/logout.ts";
import { useAllowed } from "../session/session.ts";
import { setTheme, THEMES } from "../shell/theme.ts";
import { type Choice, isNamed } from "./choice.ts";

/** A decision that still needs its confirmation. */
export type ChosenDecision =
  | { readonly kind: "queue"; readonly action: QueueAction; readonly queue: QueueOverview }
  | { readonly kind: "job"; readonly action: JobAction; readonly job: JobDetail };

/** What follows a choice in the palette: a decision, or a dialog of the shell. */
export type Followed = ChosenDecision | { readonly kind: "help" | "operations" };

const QUEUE_ICONS: Record<QueueAction, LucideIcon> = {
  resume: CirclePlay,
  pause: CirclePause,
  retryAll: RotateCcw,
  retryAllAndResume: RotateCcw,
  skipAllAndResume: SkipForward,
  deleteQueue: Trash2,
};
const JOB_ICONS: Record<JobAction, LucideIcon> = {
  retry: RotateCcw,
  skip: SkipForward,
  cancel: CircleX,
  "run-now": CirclePlay,
};

const OPERATE = { permission: "queue.operate" as Permission };
const MOST_ACTIONS = 8;

/** All actions of the palette. A decision opens the same dialog as its button. */
export function useActions(typed: string, follow: (followed: Followed) => void): readonly Choice[] {
  const words = useWords();
  const { act, shell, login, live, palette, work } = words;
  // An action is also found by its English name.
  const en = useWordsIn("en");
  useEffect(() => void loadWords("en").catch(() => undefined), []);
  const language = useLanguage();
  const { kind } = useLiveState();
  const mayDecide = useAllowed(OPERATE);
  const maySee = useAllowed({ permission: "queue.read" });
  const { data: queues } = useQuery({ ...queries.queues(1), enabled: maySee });
  const job = useJobOfPage();
  if (typed === "") return [];

  const ofQueues = (mayDecide ? (queues?.items ?? []) : []).flatMap((queue) =>
    legalQueueActions(queue).map((action) => ({
      id: `queue-${queue.queue}-${action}`,
      label: act.of[action](queue.queue),
      aka: `${en.act.of[action](queue.queue)} ${act[action]}`,
      icon: QUEUE_ICONS[action],
      go: () => follow({ kind: "queue", action, queue }),
    })),
  );
  const ofJob = (mayDecide && job ? decisionsAbout(job) : []).flatMap((action) =>
    action === "delete" || job === undefined
      ? []
      : [
          {
            id: `job-${action}`,
            label: act.of[action](job.ticket),
            aka: `${en.act.of[action](job.ticket)} ${act[action]}`,
            icon: JOB_ICONS[action],
            go: () => follow({ kind: "job", action, job }),
          },
        ],
  );
  const isPaused = kind === "paused";
  const ofPage = [
    ...THEMES.map((theme) => ({
      id: `theme-${theme}`,
      label: palette.theme(shell.theme[theme]),
      aka: en.palette.theme(en.shell.theme[theme]),
      icon: Palette,
      go: () => setTheme(theme),
    })),
    {
      id: "language",
      label: palette.language(language === "ko" ? "English" : "한국어"),
      aka: "language 언어 english korean 한국어",
      icon: Languages,
      go: () => void chooseLanguage(language === "ko" ? "en" : "ko"),
    },
    {
      id: "live",
      label: isPaused ? live.resume : live.pause,
      aka: isPaused ? en.live.resume : en.live.pause,
      icon: Radio,
      go: isPaused ? resumeLive : pauseLive,
    },
    ...(maySee
      ? [
          {
            id: "work",
            label: work.show,
            aka: en.work.show,
            icon: ListChecks,
            go: () => follow({ kind: "operations" }),
          },
        ]
      : []),
    {
      id: "help",
      label: shell.help,
      aka: "keyboard help",
      icon: Keyboard,
      go: () => follow({ kind: "help" }),
    },
    { id: "logout", label: login.logout, aka: "log out sign out", icon: LogOut, go: () => void logout() },
  ];
  return [...ofJob, ...ofQueues, ...ofPage]
    .filter(({ label, aka }) => isNamed(typed, label, aka))
    .slice(0, MOST_ACTIONS)
    .map(({ aka: _aka, ...choice }) => choice);
}

/** The job whose page is open: its actions are offered too. */
function useJobOfPage(): JobDetail | undefined {
  const { pathname } = useLocation();
  const id = /^\/jobs\/([^/]+)$/.exec(pathname)?.[1];
  const { data } = useQuery({ ...queries.job(id ?? ""), enabled: false });
  return id ? data : undefined;
}
