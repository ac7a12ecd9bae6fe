import { ListTabs, type Search, type SearchField, SearchLine } from "@andon/console/room";
import { folderAddress } from "../addresses.ts";
import type { Availability } from "../api.ts";
import { useVaultWords } from "../i18n/words.ts";

const STATES: readonly Availability[] = ["AVAILABLE", "PENDING", "ERROR", "ABSENT"];

export const nasIn = (search: Search) => STATES.find((state) => state === search.nas);

interface FileSearchProps {
  readonly search: Search;
  readonly onChange: (search: Search) => void;
}

/** Searches names in this folder, or files in all folders by name and by their state on the NAS. */
export function FileSearch({ search, onChange }: FileSearchProps) {
  const { files: say, availability } = useVaultWords();
  const fields: readonly SearchField[] = [
    ...(search.in === "all"
      ? [
          {
            name: "nas",
            term: "nas",
            label: say.nas,
            hint: say.nasHint,
            kind: "choice" as const,
            values: STATES.map((value) => ({ value, label: availability[value] })),
            isOffered: true,
          },
        ]
      : []),
    { name: "text", term: "name", label: say.name, hint: say.partHint, kind: "text", isText: true },
  ];
  return (
    <SearchLine
      label={say.searchLabel}
      placeholder={search.in === "all" ? say.searchAll : say.searchHere}
      fields={fields}
      search={search}
      onChange={onChange}
    />
  );
}

/** The scope of the search. The state on the NAS can be searched only in all folders. */
export function SearchScope({ search, folderId }: { search: Search; folderId: string }) {
  const { files: say } = useVaultWords();
  const tab = (key: "here" | "all", label: string) => ({
    key,
    label,
    to: `${folderAddress(folderId)}?${new URLSearchParams({
      ...(search.text ? { text: search.text } : {}),
      ...(key === "all" ? { in: "all" } : {}),
    })}`,
    isHere: (search.in === "all") === (key === "all"),
  });
  return <ListTabs label={say.searchIn} tabs={[tab("here", say.here), tab("all", say.everywhere)]} />;
}
