import { Empty, Link, TextBlock, useMe } from "@andon/console/room";
import { FileInput } from "lucide-react";
import { useFileflowWords } from "../i18n/words.ts";

/** The app that stores uploaded files. Each upload becomes an event of this app. */
const UPLOADS = { app: "vault", address: "/vault/files" };

/** Shown while there are no executions: the commands that create the first one, ready to copy. */
export function FirstExecution() {
  const { executions: say } = useFileflowWords();
  const { apps } = useMe();
  return (
    <>
      <Empty title={say.none} hint={say.noneHint} icon={FileInput} />
      <div className="flex max-w-3xl flex-col gap-2 px-4 pb-4">
        <TextBlock label={say.command} text={firstEvent(location.origin)} />
        {apps.includes(UPLOADS.app) && (
          <p>
            {say.orUpload} <Link to={UPLOADS.address}>{say.files}</Link>
          </p>
        )}
      </div>
    </>
  );
}

/** `data` is the default data folder; the first start wrote the admin key there. */
function firstEvent(origin: string): string {
  const event = {
    type: "s3.object.created",
    bucket: "demo",
    key: "hello.txt",
    size: 12,
    mime: "text/plain",
    tenantId: "default",
    organizationId: "default",
    occurredAt: new Date().toISOString().replace(/\.\d+/, ""),
  };
  return [
    "mkdir -p data/buckets/demo && printf 'Hello, Andon' > data/buckets/demo/hello.txt",
    `curl -X POST ${origin}/ingest/events \\`,
    '  -H "authorization: Bearer $(cat data/admin.key)" \\',
    '  -H "content-type: application/json" \\',
    `  -d '${JSON.stringify(event).replaceAll(',"', ', "')}'`,
  ].join("\n");
}
