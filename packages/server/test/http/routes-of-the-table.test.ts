import { ROUTES } from "@andon/contract";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { refuseOtherRoutes } from "../../src/http/routes-of-the-table.ts";

test("a route that is in no table cannot be mounted", async () => {
  const app = Fastify();
  refuseOtherRoutes(app, [ROUTES], {});
  expect(() => app.get("/backdoor", async () => "open")).toThrow(/is in no route table/);
  expect(() => app.post("/healthz", async () => "open")).toThrow(/is in no route table/);
  await app.close();
});
