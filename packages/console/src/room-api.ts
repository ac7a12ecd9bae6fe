/**
 * The components for the rooms of apps (`@andon/console/room`). Only components that are loaded by `import()` may use it,
 * because everything imported from here in the first load becomes part of the first load. It exports the console's own query
 * and router libraries: a second copy would not share the console's state.
 */
export {
  keepPreviousData,
  type UseQueryResult,
  useMutation,
  useQueries,
  useQuery,
} from "@tanstack/react-query";
export { useNavigate, useParams } from "@tanstack/react-router";
export {
  type AuditRow,
  api,
  clientFor,
  type FailedJob,
  type JobDetail,
  type Me,
  type QueueOverview,
} from "./api/client.ts";
export { queries, useLiveQuery } from "./api/queries.ts";
export { queryClient } from "./api/query-client.ts";
export { isUnanswered } from "./api/unanswered.ts";
export { blockReloadWhile } from "./block-reload.ts";
export { type ListTab, ListTabs } from "./finding/list-tabs.tsx";
export type { SearchField } from "./finding/search-field.ts";
export { SearchLine } from "./finding/search-line.tsx";
export { type Language, language, useLanguage } from "./i18n/language.ts";
export { useWords } from "./i18n/words.ts";
export { onAnotherReader } from "./session/another-reader.ts";
export { useAllowed, useMe } from "./session/session.ts";
export { useReason } from "./session/unfinished.ts";
export { type Search, useAddress } from "./ui/address.ts";
export { Button, buttonClass } from "./ui/button.tsx";
export { CronWords } from "./ui/cron-words.tsx";
export { DecisionDialog } from "./ui/decision-dialog.tsx";
export { Dialog } from "./ui/dialog.tsx";
export { DialogButtons } from "./ui/dialog-buttons.tsx";
export { DropZone } from "./ui/drop-zone.tsx";
export { Empty } from "./ui/empty.tsx";
export { Field, TextField } from "./ui/field.tsx";
export { LAMP_WASH, Lamp, type LampKind, lampOf } from "./ui/lamp.tsx";
export { jobPath, jobsPath, Link, queuePath } from "./ui/link.tsx";
export { Loaded } from "./ui/loaded.tsx";
export { notify } from "./ui/notice.ts";
export { useNow } from "./ui/now.ts";
export { Count, useNumber } from "./ui/number.tsx";
export { Paging } from "./ui/paging.tsx";
export { Fact, Facts, PageHead, Panel } from "./ui/panel.tsx";
export { Problem } from "./ui/problem.tsx";
export { ProgressBar } from "./ui/progress-bar.tsx";
export { SelectPage, SelectRow } from "./ui/select-page.tsx";
export { type SelectedRows, useSelectedRows } from "./ui/selected-rows.ts";
export { type Column, Row, Table } from "./ui/table.tsx";
export { TextBlock } from "./ui/text-block.tsx";
export { Span, spanText, Time } from "./ui/time.tsx";
export { TypedName } from "./ui/typed-name.tsx";
