import { Empty, Link, TextBlock, useMe } from "@andon/console/room";
import { FileInput } from "lucide-react";
import { useFileflowWords } from "../i18n/words.ts";

/** Where another app takes files: what is uploaded there becomes an event of this one. */
const UPLOADS = { app: "vault", address: "/vault/files" };

/** Nothing was ever executed: the commands that make a first execution, ready to be copied. */
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

/** `data` is the default of the setting; the token is the admin key that the first start wrote there. */
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
