import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { open } from "../src/index.ts";

async function failed(handler: () => unknown, rules: object = {}) {
  const andon = await open("sqlite::memory:");
  onTestFinished(() => andon.close());
  const queue = andon.queue("line", { attempts: 1, ...rules });
  await queue.work(handler);
  const { id } = await queue.add("x");
  await expect.poll(async () => (await andon.job(id))?.state).toBe("failed");
  return (await andon.job(id))?.error;
}

/** A port where nobody listens. */
async function deadPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test("a failed fetch reports its cause, and `classify` sees the code of the cause", async () => {
  const port = await deadPort();
  const codes: string[] = [];
  const error = await failed(() => fetch(`http://127.0.0.1:${port}/`), {
    probe: false,
    classify: ({ code }: { code: string }) => {
      codes.push(code);
      return "destination";
    },
  });
  expect(codes).toEqual(["ECONNREFUSED"]);
  expect(error).toMatchObject({
    code: "ECONNREFUSED",
    message: `fetch failed: connect ECONNREFUSED 127.0.0.1:${port}`,
  });
});

const circle = new Error("round");
circle.cause = circle;

test.each([
  [
    new AggregateError([new Error("left"), new Error("right"), new Error("left")]),
    "AggregateError",
    "left, right",
  ],
  [new Error("outer: inner", { cause: new Error("inner") }), "Error", "outer: inner"],
  [Object.assign(new Error("said", { cause: new Error("raw") }), { code: "OWN" }), "OWN", "said"],
  [new Error("told", { cause: "a text" }), "Error", "told"],
  [circle, "Error", "round"],
])(
  "the message has the texts of the causes, unless the error contains them or has a code: %s",
  async (thrown, code, message) => {
    const error = await failed(() => {
      throw thrown;
    });
    expect(error).toMatchObject({ code, message });
  },
);
