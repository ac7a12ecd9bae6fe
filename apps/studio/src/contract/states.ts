/** The phases of a task as they come unless the settings say otherwise. */
export const DEFAULT_PHASES = ["schedule", "script", "image", "video", "youtube"] as const;

/** How a task stands in its phase. */
export const TASK_STATUSES = ["waiting", "processing", "completed", "failed", "cancelled"] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** Tabs with a count. Beside them there is one per further phase, by its name, and `cancelled`. */
export const TASK_TABS = ["scheduled", "script", "image", "video", "youtube", "failed", "completed"] as const;

/** Where images come from: people or a crawl bring them, or each scene is a card with its text. */
export const IMAGE_SOURCES = ["upload", "titles"] as const;
export type ImageSource = (typeof IMAGE_SOURCES)[number];

export const LANGUAGES = ["ko", "en"] as const;
/** What people call the phases of the default list. Others are called by their names. */
export const PHASE_NAMES: Readonly<Record<FilmLanguage, Readonly<Record<string, string>>>> = {
  en: { schedule: "Schedule", script: "Script", image: "Images", video: "Video", youtube: "YouTube" },
  ko: { schedule: "예약", script: "대본", image: "이미지", video: "영상", youtube: "유튜브" },
};
export type FilmLanguage = (typeof LANGUAGES)[number];
