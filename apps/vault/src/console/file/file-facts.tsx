import { Fact, Facts, Panel, Time } from "@andon/console/room";
import type { FileEntry } from "../api.ts";
import { useVaultWords } from "../i18n/words.ts";
import { Size } from "../size.tsx";
import { AvailabilityWord } from "../sync-mark.tsx";

export function FileFacts({ file }: { file: FileEntry }) {
  const { file: say, place } = useVaultWords();
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Panel title={say.storage}>
        <Facts>
          {file.storage.map(({ type, availabilityStatus }) => (
            <Fact key={type} name={place[type]}>
              <AvailabilityWord of={availabilityStatus} />
            </Fact>
          ))}
        </Facts>
      </Panel>
      <Panel title={say.facts}>
        <Facts>
          <Fact name={say.path}>
            <span className="path">{file.path}</span>
          </Fact>
          <Fact name={say.size}>
            <Size bytes={file.size} />
          </Fact>
          <Fact name={say.type}>
            <span className="wrap-anywhere">{file.mimeType}</span>
          </Fact>
          <Fact name={say.made}>
            <Time at={file.createdAt} show="both" />
          </Fact>
          <Fact name={say.changed}>
            <Time at={file.updatedAt} show="both" />
          </Fact>
          <Fact name={say.checksum}>
            <span className="font-mono text-xs break-all">{file.sha256}</span>
          </Fact>
          <Fact name={say.id}>
            <span className="font-mono text-xs break-all">{file.id}</span>
          </Fact>
        </Facts>
      </Panel>
    </div>
  );
}
