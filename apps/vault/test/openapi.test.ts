import { expect } from "vitest";
import { clientFrom } from "./generated-client.ts";
import { until } from "./harness.ts";
import { describeFlaky } from "./sync/flaky-vault.ts";

const hello = (name: string) => new File(["hello"], name, { type: "text/plain" });

describeFlaky("a client that was generated from the OpenAPI document", (it) => {
  it(
    "can run the first story of the README",
    async (vault) => {
      const { server, nas } = vault;
      const document = await server.done("GET", "/openapi.json");
      const client = clientFrom(document, server.url, server.adminToken);
      const call = (id: string) => client[id] as NonNullable<(typeof client)[string]>;
      const parameters = { queue: "nas-sync" };
      const key = { "Idempotency-Key": "first" };
      const first = await call("files.upload")({ parameters: key, body: { file: hello("hello.txt") } });
      const again = await call("files.upload")({ parameters: key, body: { file: hello("hello.txt") } });
      expect(again.fileId).toBe(first.fileId);
      await server.synced();
      expect(vault.onNas()).toEqual({ "hello.txt": "hello" });

      nas.goAway("UNREACHABLE");
      await call("files.upload")({ body: { file: hello("second.txt") } });
      await until(async () => {
        const { state, active } = await call("queues.overview")({ parameters });
        return state === "stopped" && active === 0;
      });
      const asked = { parameters: { ...parameters, retryFailed: "true" } };
      expect((await call("queues.rehearse")(asked)).destination.ok).toBe(false);
      nas.comeBack();
      expect((await call("queues.rehearse")(asked)).destination.ok).toBe(true);
      await call("queues.retryAll")({ parameters, body: { reason: "it is back" } });
      await call("queues.resume")({ parameters, body: { reason: "it is back" } });
      await server.synced();
      expect(await call("queues.status")({ parameters })).toMatchObject({ failed: 0, completed: 2 });
      expect(vault.onNas()).toEqual({ "hello.txt": "hello", "second.txt": "hello" });
    },
    { attempts: 2 },
  );

  it("finds names, servers, the upload's body and the Idempotency-Key in it", async ({ server }) => {
    const { servers, paths, components } = await server.done("GET", "/openapi.json");
    expect(servers).toEqual([{ url: "/" }]);
    const upload = paths["/files/upload"].post;
    const { $ref } = upload.requestBody.content["multipart/form-data"].schema;
    const schema = components.schemas[$ref.split("/").at(-1)];
    expect(schema).toMatchObject({ required: ["file"], properties: { file: { format: "binary" } } });
    expect(Object.keys(schema.properties)).toEqual(["folderId", "file"]);
    const keyed = Object.values(
      paths as Record<string, Record<string, { operationId: string; parameters: { name: string }[] }>>,
    )
      .flatMap((methods) => Object.values(methods))
      .filter(({ parameters }) => parameters.some(({ name }) => name === "Idempotency-Key"));
    expect(keyed.map(({ operationId }) => operationId).sort()).toEqual(["files.upload", "folders.create"]);
    const references = JSON.stringify(paths).match(/#\/components\/schemas\/\w+/g) ?? [];
    for (const reference of new Set(references))
      expect(components.schemas, reference).toHaveProperty(reference.split("/").at(-1) as string);
    expect(components.schemas).toHaveProperty("QueuesResumeBody");
    expect(components.schemas).toHaveProperty("QueuesRehearseAnswer");
  });
});
