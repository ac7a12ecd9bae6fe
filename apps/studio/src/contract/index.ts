export { STUDIO_ERRORS, StudioError } from "./errors.ts";
export { STUDIO_PERMISSIONS } from "./permissions.ts";
export { STUDIO_ROUTES } from "./routes.ts";
export {
  DEFAULT_PHASES,
  type FilmLanguage,
  IMAGE_SOURCES,
  type ImageSource,
  LANGUAGES,
  TASK_STATUSES,
  TASK_TABS,
  type TaskStatus,
} from "./states.ts";
