import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabaseWith, type NodeChild, spawnNode } from "@andon/testkit";
import type { StoreName } from "./harness.ts";

/** A data folder and a database that outlive the processes that use them. */
export class VaultGround {
  readonly data: string;
  readonly store: string;
  readonly adminToken = "a-token-for-tests-only";
  readonly #drop: () => Promise<void>;
  readonly #children: NodeChild[] = [];

  private constructor(data: string, store: string, drop: () => Promise<void>) {
    this.data = data;
    this.store = store;
    this.#drop = drop;
  }

  static async make(store: StoreName): Promise<VaultGround> {
    const data = mkdtempSync(join(tmpdir(), "andon-vault-ground-"));
    if (store === "sqlite") return new VaultGround(data, `sqlite:${join(data, "andon.db")}`, async () => {});
    const database = await createDatabaseWith("vault");
    return new VaultGround(data, database.url, () => database.drop());
  }

  /**
   * Starts a process; `failAt` is the fail point at which it dies, `failAfter` how often it passes that point before.
   */
  async spawn(
    options: { failAt?: string; failAfter?: number } = {},
  ): Promise<{ child: NodeChild; url: string }> {
    const { data, store, adminToken } = this;
    const fixture = new URL("./vault-process.fixture.mjs", import.meta.url);
    const env = {
      ...(options.failAt === undefined ? {} : { ANDON_FAIL_POINT: options.failAt }),
      ANDON_FAIL_AFTER: String(options.failAfter ?? 0),
    };
    const child = spawnNode(fixture, [JSON.stringify({ data, store, adminToken, roles: ["api"] })], env);
    this.#children.push(child);
    const line = await child.waitForLine("listening", 30_000);
    return { child, url: line.split(" ")[1] as string };
  }

  async clean(): Promise<void> {
    for (const child of this.#children) await child.kill("SIGKILL");
    await this.#drop();
    rmSync(this.data, { recursive: true, force: true });
  }
}

/** The most memory that a process has had, in bytes. */
export function peakMemory({ pid }: NodeChild): number {
  const line = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(line?.[1]) * 1_024;
}
