import { describeOn, KIM } from "@andon/testkit/conformance";
import { expect } from "vitest";
import { STORE_KINDS } from "./conformance/store-kinds.ts";

describeOn(STORE_KINDS, "adhoc", (it) => {
  it("fair: jobs added by a producer that does not know the rule run too", async (bench) => {
    const producer = bench.queue<string>();
    const fair = (await bench.another()).queue<string>("line", { fair: true });
    const starts: string[] = [];
    await fair.work((job) => void starts.push(job.payload));
    await producer.addMany(["a", "b"]);
    await bench.pass(5_000);
    expect(starts).toEqual(["a", "b"]);
  });
  it("unfair worker runs jobs with shares", async (bench) => {
    const producer = bench.queue<string>({ fair: true });
    const plain = (await bench.another()).queue<string>("line");
    const starts: string[] = [];
    await plain.work((job) => void starts.push(job.payload));
    await producer.addMany(["a", "b"]);
    await bench.pass(5_000);
    expect(starts).toEqual(["a", "b"]);
  });
  it("ended newest first by their end", async (bench) => {
    const queue = bench.queue<string>();
    const [a, b, c] = await queue.addMany(["a", "b", "c"]);
    for (const job of [b, c, a]) { await queue.cancel(job!.id, KIM); await bench.pass(10); }
    expect((await queue.jobs("cancelled")).items.map((job) => job.payload)).toEqual(["a", "c", "b"]);
  });
  it("blocked in the order they will run", async (bench) => {
    const queue = bench.queue<string>();
    await queue.add("later", { key: "k", delay: "5s" });
    const hands = bench.hands();
    await queue.work(hands.handler);
    await queue.addMany(["1", "2", "3"], { key: "k" });
    await bench.pass(5_000);
    expect((await queue.jobs("blocked")).items.map((job) => job.payload)).toEqual(["2", "3", "later"]);
  });
});
