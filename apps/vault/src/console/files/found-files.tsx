import {
  type Column,
  Link,
  Loaded,
  Paging,
  Row,
  Table,
  Time,
  useAddress,
  useLiveQuery,
} from "@andon/console/room";
import { fileAddress, folderAddress } from "../addresses.ts";
import { type FileEntry, onNas } from "../api.ts";
import { useVaultWords } from "../i18n/words.ts";
import { vaultQueries } from "../queries.ts";
import { Size } from "../size.tsx";
import { AvailabilityWord } from "../sync-mark.tsx";
import { nasIn } from "./file-search.tsx";
import { NothingFound } from "./nothing-found.tsx";

/** Files of all folders that the search finds. */
export function FoundFiles() {
  const { files: say } = useVaultWords();
  const { search, page, change } = useAddress();
  const query = useLiveQuery(vaultQueries.files(search.text, nasIn(search), page));
  const columns: readonly Column[] = [
    { label: say.name, free: true },
    { label: say.inFolder, wide: true },
    { label: say.size, wide: true, end: true },
    { label: say.changed, wide: true },
    { label: say.state },
  ];
  const cells = (file: FileEntry) => [
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
    <section aria-label={say.title} className="rounded-lg border border-line bg-panel">
      <Loaded query={query} rows={6}>
        {(data) =>
          data.items.length === 0 ? (
            <NothingFound />
          ) : (
            <>
              <p className="px-3 pt-2 text-xs text-faint sm:px-4" role="status">
                {say.found(data.total, data.more === true)}
              </p>
              <Table label={say.title} columns={columns}>
                {data.items.map((file) => (
                  <Row key={file.id} about={file.id} columns={columns} cells={cells(file)} />
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
