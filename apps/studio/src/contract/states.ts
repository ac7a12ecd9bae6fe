/** The default phases of a task. */
export const DEFAULT_PHASES = ["schedule", "script", "image", "video", "youtube"] as const;

/** The status of a task in its phase. */
export const TASK_STATUSES = ["waiting", "processing", "completed", "failed", "cancelled"] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/**
 * The tabs that always have a count. Each additional phase adds a tab with its name, and `cancelled` has a tab without a
 * count.
 */
export const TASK_TABS = ["scheduled", "script", "image", "video", "youtube", "failed", "completed"] as const;

/** The source of images: `upload` for images that people or a crawl add, `titles` for a card per scene with its text. */
export const IMAGE_SOURCES = ["upload", "titles"] as const;
export type ImageSource = (typeof IMAGE_SOURCES)[number];

export const LANGUAGES = ["ko", "en"] as const;
/** The display names of the default phases. Other phases show their own names. */
export const PHASE_NAMES: Readonly<Record<FilmLanguage, Readonly<Record<string, string>>>> = {
  en: { schedule: "Schedule", script: "Script", image: "Images", video: "Video", youtube: "YouTube" },
  ko: { schedule: "예약", script: "대본", image: "이미지", video: "영상", youtube: "유튜브" },
};
export type FilmLanguage = (typeof LANGUAGES)[number];
