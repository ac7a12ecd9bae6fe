import {
  type Column,
  Link,
  Loaded,
  Paging,
  Row,
  SelectRow,
  Table,
  Time,
  useAddress,
  useLiveQuery,
  useSelectedRows,
} from "@andon/console/room";
import { fileAddress, folderAddress } from "../addresses.ts";
import { type FileEntry, type Item, onNas } from "../api.ts";
import { useVaultWords } from "../i18n/words.ts";
import { vaultQueries } from "../queries.ts";
import { Size } from "../size.tsx";
import { AvailabilityWord } from "../sync-mark.tsx";
import { nasIn, SearchScope } from "./file-search.tsx";
import { NothingFound } from "./nothing-found.tsx";
import { SelectedItems } from "./selected-items.tsx";

const itemOfFile = ({ id, name, folderId }: FileEntry): Item => ({ kind: "file", id, name, folderId });

/** The files in all folders that match the search. */
export function FoundFiles({ folderId, mayWrite }: { folderId: string; mayWrite: boolean }) {
  const { files: say } = useVaultWords();
  const { search, page, change } = useAddress();
  const query = useLiveQuery(vaultQueries.files(search.text, nasIn(search), page));
  const selection = useSelectedRows((query.data?.items ?? []).map(itemOfFile));
  const columns: readonly Column[] = [
    ...(mayWrite ? [{ label: say.many.box, silent: true }] : []),
    { label: say.name, free: true },
    { label: say.inFolder, wide: true },
    { label: say.size, wide: true, end: true },
    { label: say.changed, wide: true },
    { label: say.state },
  ];
  const cells = (file: FileEntry) => [
    ...(mayWrite
      ? [
          <SelectRow
            key="select"
            label={say.many.select(file.name)}
            isSelected={selection.has(file.id)}
            onToggle={() => selection.toggle(file.id)}
          />,
        ]
      : []),
    <Link key="name" row to={fileAddress(file.id)}>
      <span className="wrap-anywhere">{file.name}</span>
    </Link>,
    <div key="folder" className="min-w-28">
      <Link to={folderAddress(file.folderId)}>
        <span className="path">{file.path.slice(0, -file.name.length)}</span>
      </Link>
    </div>,
    <Size key="size" bytes={file.size} />,
    <Time key="changed" at={file.updatedAt} />,
    <AvailabilityWord key="state" of={onNas(file)} />,
  ];
  return (
    <section aria-label={say.title} className="rounded-lg border border-line bg-panel shadow-panel">
      <SearchScope search={search} folderId={folderId} />
      <Loaded query={query} rows={6}>
        {(data) =>
          data.items.length === 0 ? (
            <NothingFound />
          ) : (
            <>
              <p className="px-3 pt-2 text-xs text-faint sm:px-4" role="status">
                {say.found(data.total, data.more === true)}
              </p>
              {mayWrite && <SelectedItems selection={selection} />}
              <Table label={say.title} columns={columns}>
                {data.items.map((file) => (
                  <Row
                    key={file.id}
                    about={file.id}
                    columns={columns}
                    cells={cells(file)}
                    isSelected={selection.has(file.id)}
                  />
                ))}
              </Table>
              <Paging page={data} onPage={(next) => change({ page: String(next) })} />
            </>
          )
        }
      </Loaded>
    </section>
  );
}
