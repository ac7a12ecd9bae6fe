import { until } from "@andon/testkit";
import { describe, expect, test } from "vitest";
import { STORES, startWithInstalled, type TestServer } from "./harness.ts";

async function upload(server: TestServer, token: string, name: string, type: string, content: string) {
  const body = new FormData();
  body.append("file", new Blob([content], { type }), name);
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(new URL("/files/upload", server.url), { method: "POST", headers, body });
  return (await response.json()) as { fileId: string };
}

/** A minimal PDF: one page with one line. */
const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length 44>>stream
BT /F1 18 Tf 20 50 Td (From the vault) Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
%%EOF`;

describe.each(STORES)("a file uploaded to the vault on %s", (store) => {
  test("becomes an execution in the same transaction, and its text is extracted; a file that does not match does not", async () => {
    const server = await startWithInstalled(store);
    try {
      const token = await server.key(["admin"], { tenantId: "acme" });
      const ask = async (path: string) => (await server.ask("GET", path, { token })).body;
      const { fileId } = await upload(server, token, "note.pdf", "application/pdf", PDF);
      await upload(server, token, "data.bin", "application/octet-stream", "x");
      const { items, total } = await ask("/pipelines/executions");
      expect(total).toBe(1);
      expect(items[0]).toMatchObject({
        fileId,
        bucket: "vault",
        organizationId: "default",
        triggerType: "UPLOAD",
      });
      const id = items[0].executionId;
      await until(async () => (await ask(`/pipelines/executions/${id}`)).status === "COMPLETED");
      await until(async () => (await ask(`/pipelines/executions/${id}/extractions`)).total === 1);
      const [text] = (await ask(`/pipelines/executions/${id}/extractions`)).items;
      expect(text.text).toContain("From the vault");
      const isDeletedAfter = async (method: string, path: string) => {
        await server.ask(method, path, { token });
        return (await ask(`/pipelines/executions/${id}`)).fileDeleted;
      };
      expect(await isDeletedAfter("DELETE", `/files/${fileId}`)).toBe(true);
      expect(await isDeletedAfter("POST", `/files/${fileId}/restore`)).toBe(false);
      expect(await isDeletedAfter("DELETE", `/files/${fileId}?permanent=true`)).toBe(true);
    } finally {
      await server.close();
    }
  }, 60_000);
});
