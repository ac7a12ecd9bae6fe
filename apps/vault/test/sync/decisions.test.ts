import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { until } from "../harness.ts";
import { describeFlaky, type FlakyVault } from "./flaky-vault.ts";

/** A held file: `a` is on the NAS, its move into `f` has failed, and a rename to `b` waits behind. */
async function heldMove(vault: FlakyVault): Promise<string> {
  const { server, nas } = vault;
  const folder = await server.makeFolder("f");
  const { fileId } = await server.upload({ name: "a", bytes: "bytes" });
  await server.synced();
  nas.failNext("move", "DENIED");
  await vault.beforeAnythingRuns(async () => {
    await server.done("POST", `/files/${fileId}/move`, { body: { targetFolderId: folder } });
    await server.done("PUT", `/files/${fileId}/rename`, { body: { newName: "b" } });
  });
  await vault.untilHeld(fileId);
  return fileId;
}

/** A held file whose first upload has failed, with nothing behind it. */
async function heldUpload(vault: FlakyVault): Promise<string> {
  vault.nas.failNext("put", "DENIED");
  const { fileId } = await vault.server.upload({ name: "a", bytes: "bytes" });
  await vault.untilHeld(fileId);
  return fileId;
}

const reason = "looked at it";

describeFlaky("a person", (it) => {
  it(
    "retries a held file",
    async (vault) => {
      const { server } = vault;
      const fileId = await heldMove(vault);
      const answer = await server.done("POST", `/admin/sync-queue/${fileId}/retry`);
      expect(answer).toMatchObject({
        success: true,
        message: "The job is queued again.",
        fileId,
        affected: 1,
      });
      await server.synced();
      expect(vault.onNas()).toEqual({ "f/b": "bytes" });
      expect(await vault.availability(fileId)).toBe("AVAILABLE");
      const refused = await server.refused("POST", `/admin/sync-queue/${fileId}/retry`);
      expect(refused).toMatchObject({ status: 409, error: "FILE_NOT_HELD" });
    },
    { attempts: 1 },
  );

  it(
    "gets FILE_NOT_HELD if another person decided at the same moment",
    async (vault) => {
      const { server } = vault;
      for (let round = 0; round < 5; round++) {
        const fileId = await heldUpload(vault);
        const decide = (verb: string) =>
          server.ask("POST", `/admin/sync-queue/${fileId}/${verb}`, { body: { reason } });
        const answers = await Promise.all(["skip", "skip", "retry", "cancel"].map(decide));
        const refused = answers.filter(({ status }) => status !== 200);
        expect(refused).toHaveLength(3);
        for (const { status, body } of refused)
          expect({ status, error: (body as { error: string }).error }).toEqual({
            status: 409,
            error: "FILE_NOT_HELD",
          });
        await server.synced();
        await server.done("DELETE", `/files/${fileId}?permanent=true`);
        await server.synced();
      }
    },
    { attempts: 1 },
  );

  it(
    "skips the failed operation, and the later ones start from where the bytes are",
    async (vault) => {
      const { server } = vault;
      const fileId = await heldMove(vault);
      const answer = await server.done("POST", `/admin/sync-queue/${fileId}/skip`, { body: { reason } });
      expect(answer).toMatchObject({ success: true, fileId, affected: 1, availabilityStatus: "ERROR" });
      await server.synced();
      expect(vault.onNas()).toEqual({ "f/b": "bytes" });
      expect(await vault.availability(fileId)).toBe("AVAILABLE");
    },
    { attempts: 1 },
  );

  it(
    "can undo a skip or a cancel during the undo window of the settings",
    async (vault) => {
      const { server } = vault;
      const fileId = await heldMove(vault);
      for (const verb of ["skip", "cancel"]) {
        const { status, body } = await server.ask("POST", `/admin/sync-queue/${fileId}/${verb}`, {
          body: { reason },
        });
        expect([status, body.affected, body.pendingDecision.state]).toEqual([202, 0, "pending"]);
        const { items } = await server.done("GET", "/admin/sync-queue/held");
        expect(items).toMatchObject([{ fileId, pendingDecision: { id: body.pendingDecision.id } }]);
        const again = await server.refused("POST", `/admin/sync-queue/${fileId}/${verb}`, {
          body: { reason },
        });
        expect(again).toMatchObject({ status: 409, error: "DECISION_PENDING" });
        await server.done("POST", `/admin/decisions/${body.pendingDecision.id}/undo`);
        expect((await vault.status(fileId)).queueStatus).toBe("HELD");
      }
    },
    { attempts: 1 },
    { decisions: { undoWindow: "1h" } },
  );

  it(
    "cancels all remaining operations of a file after the undo window",
    async (vault) => {
      const { server } = vault;
      const fileId = await heldMove(vault);
      await server.done("POST", `/admin/sync-queue/${fileId}/cancel`, { body: { reason } });
      await until(async () => (await vault.status(fileId)).queueStatus === "IDLE");
      expect((await vault.status(fileId)).completedOperations).toMatchObject([
        { status: "DONE" },
        { status: "SKIPPED" },
        { status: "CANCELLED" },
      ]);
      expect(vault.onNas()).toEqual({ a: "bytes" });
    },
    { attempts: 1 },
    { decisions: { undoWindow: "300ms" } },
  );

  it(
    "cancels all remaining operations of a file",
    async (vault) => {
      const { server } = vault;
      const fileId = await heldMove(vault);
      const answer = await server.done("POST", `/admin/sync-queue/${fileId}/cancel`, { body: { reason } });
      const message = "The failed job is skipped, and 1 job behind it is cancelled.";
      expect(answer).toMatchObject({ success: true, message, fileId, affected: 2 });
      expect(await vault.status(fileId)).toMatchObject({
        queueStatus: "IDLE",
        completedOperations: [{ status: "DONE" }, { status: "SKIPPED" }, { status: "CANCELLED" }],
      });
      expect(vault.onNas()).toEqual({ a: "bytes" });
      expect(await vault.availability(fileId)).toBe("ERROR");

      await server.done("DELETE", `/files/${fileId}`);
      await server.synced();
      expect(vault.onNas()).toEqual({ [`.trash/${fileId}/b`]: "bytes" });
      expect(await vault.availability(fileId)).toBe("AVAILABLE");
    },
    { attempts: 1 },
  );

  it(
    "may cancel without a reason, but not skip",
    async (vault) => {
      const { server } = vault;
      const fileId = await heldMove(vault);
      const path = `/admin/sync-queue/${fileId}`;
      expect(await server.refused("POST", `${path}/skip`)).toMatchObject({ status: 400 });
      expect(await server.done("POST", `${path}/cancel`)).toMatchObject({ success: true, affected: 2 });
    },
    { attempts: 1 },
  );

  it(
    "leaves one audit row for all cancelled operations",
    async (vault) => {
      const { server } = vault;
      const fileId = await heldMove(vault);
      const { syncQueueId } = await server.done("POST", `/admin/sync-queue/${fileId}/cancel`, {
        body: { reason },
      });
      const { items } = await server.done("GET", `/admin/audit?target=job:${syncQueueId}`);
      expect(items).toMatchObject([{ action: "job.skip-with-rest", reason, before: { waiting: 1 } }]);
      const cancels = await server.done("GET", "/admin/audit?action=lane.cancel-rest");
      expect(cancels.items).toEqual([]);
    },
    { attempts: 1 },
  );

  for (const [first, second] of [
    ["cancel", "retry"],
    ["retry", "cancel"],
  ] as const) {
    it(
      `who sends ${first} and ${second} at once gets exactly one of them`,
      async (vault) => {
        const { server } = vault;
        const fileId = await heldMove(vault);
        const send = (what: string) =>
          server.ask("POST", `/admin/sync-queue/${fileId}/${what}`, { body: { reason } });
        const [one, other] = await Promise.all([send(first), send(second)]);
        expect([one.status, other.status].sort()).toEqual([200, 409]);
        await server.synced();
        const isCancelled = (one.status === 200 ? first : second) === "cancel";
        const { completedOperations } = await vault.status(fileId);
        expect(completedOperations.map(({ status }: { status: string }) => status)).toEqual(
          isCancelled ? ["DONE", "SKIPPED", "CANCELLED"] : ["DONE", "DONE", "DONE"],
        );
        expect(vault.onNas()).toEqual(isCancelled ? { a: "bytes" } : { "f/b": "bytes" });
      },
      { attempts: 1 },
    );
  }

  it(
    "sees the outcome of each choice in advance",
    async (vault) => {
      const fileId = await heldMove(vault);
      const simulated = await vault.server.done("GET", `/admin/sync-queue/${fileId}/simulate`);
      expect(simulated).toMatchObject({ fileId, databasePath: "f/b", nasPath: "a" });
      expect(simulated.choices).toMatchObject([
        { action: "retry", endsAt: "f/b", matches: true },
        { action: "skip", endsAt: "f/b", matches: true },
        { action: "cancel", endsAt: "a", matches: false },
      ]);
      expect(simulated).not.toHaveProperty("occupied");
    },
    { attempts: 1 },
  );

  it(
    "sees what else is at the target, as long as the NAS is reachable",
    async (vault) => {
      const { nas, nasFolder, server } = vault;
      const fileId = await heldUpload(vault);
      const target = join(nasFolder, "a");
      const occupied = async () =>
        (await server.done("GET", `/admin/sync-queue/${fileId}/simulate`)).occupied;
      writeFileSync(target, "a stranger's");
      expect(await occupied()).toEqual({ path: "a", kind: "file", size: 12 });
      nas.goAway();
      expect(await occupied()).toBeUndefined();
      nas.comeBack();
      rmSync(target);
      expect(await occupied()).toBeUndefined();
      mkdirSync(target);
      expect(await occupied()).toMatchObject({ path: "a", kind: "folder" });
      writeFileSync(join(target, "b"), "in it");
      expect(await occupied()).toMatchObject({ path: "a", kind: "folder" });
    },
    { attempts: 1 },
  );

  it(
    "who copied the file by hand has it recorded as available if the NAS has it",
    async (vault) => {
      const { server } = vault;
      const fileId = await heldUpload(vault);
      writeFileSync(join(vault.nasFolder, "a"), "bytes");
      const answer = await server.done("POST", `/admin/sync-queue/${fileId}/skip`, { body: { reason } });
      expect(answer).toMatchObject({ availabilityStatus: "AVAILABLE" });
      expect(await vault.availability(fileId)).toBe("AVAILABLE");
      await server.done("PUT", `/files/${fileId}/rename`, { body: { newName: "z" } });
      await server.synced();
      expect(vault.onNas()).toEqual({ z: "bytes" });
    },
    { attempts: 1 },
  );

  it(
    "who copied the file by hand sees it in the simulation, as the skip then finds it",
    async (vault) => {
      const { server } = vault;
      const fileId = await heldUpload(vault);
      const ends = async () => {
        const { nasPath, choices } = await server.done("GET", `/admin/sync-queue/${fileId}/simulate`);
        type Choice = { endsAt: string | null; matches: boolean };
        return [nasPath, ...choices.map(({ endsAt, matches }: Choice) => [endsAt, matches])];
      };
      writeFileSync(join(vault.nasFolder, "a"), "a stranger's");
      expect(await ends()).toEqual([null, ["a", true], [null, false], [null, false]]);
      writeFileSync(join(vault.nasFolder, "a"), "bytes");
      expect(await ends()).toEqual(["a", ["a", true], ["a", true], ["a", true]]);
      const answer = await server.done("POST", `/admin/sync-queue/${fileId}/skip`, { body: { reason } });
      expect(answer).toMatchObject({ availabilityStatus: "AVAILABLE" });
    },
    { attempts: 1 },
  );

  it(
    "who copied the file by hand has it recorded as available, however the job is skipped",
    async (vault) => {
      const { server } = vault;
      const plan = async (id: string) => {
        const body = { action: "skip", queue: "nas-sync", ids: [id], reason };
        const made = await server.done("POST", "/admin/plans", { body });
        return server.done("POST", `/admin/plans/${made.id}/apply`);
      };
      const one = (id: string) => server.done("POST", `/admin/jobs/${id}/skip`, { body: { reason } });
      for (const [name, skip, answer] of [
        ["planned", plan, { success: true, appliedCount: 1 }],
        ["one", one, { success: true, state: "resolved", availabilityStatus: "AVAILABLE" }],
      ] as const) {
        vault.nas.failNext("put", "DENIED");
        const { fileId, syncQueueId } = await server.upload({ name, bytes: "bytes" });
        await vault.untilHeld(fileId);
        writeFileSync(join(vault.nasFolder, name), "bytes");
        expect(await skip(syncQueueId)).toMatchObject(answer);
        expect([name, await vault.availability(fileId)]).toEqual([name, "AVAILABLE"]);
      }
    },
    { attempts: 1 },
  );

  it(
    "who copied other bytes of the same size has the file recorded as ERROR",
    async (vault) => {
      const { server } = vault;
      const fileId = await heldUpload(vault);
      writeFileSync(join(vault.nasFolder, "a"), "BYTES");
      const answer = await server.done("POST", `/admin/sync-queue/${fileId}/skip`, { body: { reason } });
      expect(answer).toMatchObject({ availabilityStatus: "ERROR" });
      expect(await vault.availability(fileId)).toBe("ERROR");
    },
    { attempts: 1 },
  );

  it(
    "gives up a delete, and the store forgets the file",
    async (vault) => {
      const { server, nas } = vault;
      const { fileId } = await server.upload({ name: "a", bytes: "bytes" });
      await server.synced();
      nas.failNext("remove", "DENIED");
      await server.done("DELETE", `/files/${fileId}?permanent=true`);
      const { items } = await heldOnce(vault);
      expect(items).toMatchObject([{ fileId, operation: "DELETE", waitingBehind: 0 }]);
      await server.done("POST", `/admin/sync-queue/${fileId}/skip`, { body: { reason } });
      expect(await server.rows("select id from files")).toEqual([]);
      expect(vault.onNas()).toEqual({ a: "bytes" });
    },
    { attempts: 1 },
  );

  it(
    "of another tenant finds no such file",
    async (vault) => {
      const { server } = vault;
      const fileId = await heldUpload(vault);
      const token = await server.key(["queue.read", "queue.operate"], { tenantId: "acme" });
      for (const [method, what] of [
        ["POST", "retry"],
        ["GET", "simulate"],
      ] as const) {
        const refused = await server.refused(method, `/admin/sync-queue/${fileId}/${what}`, { token });
        expect(refused).toMatchObject({ status: 404, error: "FILE_NOT_FOUND" });
      }
      expect(await server.done("GET", "/admin/sync-queue/held", { token })).toMatchObject({
        total: 0,
        items: [],
      });
    },
    { attempts: 1 },
  );
});

describeFlaky("bytes that an unfinished operation left behind", (it) => {
  it(
    "are not mistaken for those of another file at their old path",
    async (vault) => {
      const { server, nas } = vault;
      const { fileId: first } = await server.upload({ name: "x", bytes: "same" });
      await server.synced();
      // The move is done on the NAS but not recorded: the operation fails and is settled by hand.
      nas.dieAfterNext("move");
      await server.done("PUT", `/files/${first}/rename`, { body: { newName: "y" } });
      await vault.untilHeld(first);
      nas.failNext("get", "UNREACHABLE");
      const { availabilityStatus } = await server.done("POST", `/admin/sync-queue/${first}/skip`, {
        body: { reason },
      });
      expect(availabilityStatus).toBe("ERROR");
      await server.upload({ name: "x", bytes: "same" });
      await server.synced();
      await server.done("DELETE", `/files/${first}?permanent=true`);
      await server.synced();
      expect(vault.onNas()).toEqual({ x: "same" });
    },
    { attempts: 1 },
  );
});

describeFlaky("a file whose failed operations hold nothing", (it) => {
  const queue = { attempts: 1, onFinalFailure: "cancel-rest" } as const;

  /** A file `a` with two failed renames, to `b` and to `c`. */
  async function failedTwice(vault: FlakyVault): Promise<{ fileId: string; newest: string }> {
    const { server, nas } = vault;
    const { fileId } = await server.upload({ name: "a", bytes: "bytes" });
    await server.synced();
    let newest = "";
    for (const newName of ["b", "c"]) {
      nas.failNext("move", "DENIED");
      const { syncQueueId } = await server.done("PUT", `/files/${fileId}/rename`, { body: { newName } });
      newest = syncQueueId;
      await until(async () => (await server.site.andon.job(newest))?.state === "failed");
    }
    return { fileId, newest };
  }

  it(
    "has the newest failed operation retried",
    async (vault) => {
      const { fileId, newest } = await failedTwice(vault);
      const answer = await vault.server.done("POST", `/admin/sync-queue/${fileId}/retry`);
      expect(answer).toMatchObject({ success: true, syncQueueId: newest, affected: 1 });
      await vault.server.synced();
      expect(vault.onNas()).toEqual({ c: "bytes" });
      expect(await vault.availability(fileId)).toBe("AVAILABLE");
    },
    queue,
  );

  it(
    "has the newest failed operation simulated",
    async (vault) => {
      const { server } = vault;
      const { fileId } = await failedTwice(vault);
      const simulated = await server.done("GET", `/admin/sync-queue/${fileId}/simulate`);
      expect(simulated).toMatchObject({ databasePath: "c", nasPath: "a" });
      expect(simulated.choices).toMatchObject([
        { action: "retry", endsAt: "c", matches: true, operations: [{ type: "RENAME", seq: 3 }] },
        { action: "skip", endsAt: "a", matches: false },
        { action: "cancel", endsAt: "a", matches: false },
      ]);

      await server.done("PUT", `/files/${fileId}/rename`, { body: { newName: "d" } });
      await server.synced();
      const later = await server.done("GET", `/admin/sync-queue/${fileId}/simulate`);
      expect(later.choices.map(({ endsAt }: { endsAt: string }) => endsAt)).toEqual(["d", "d", "d"]);
    },
    queue,
  );

  it(
    "has its failed operations skipped and cancelled one after another, the newest first",
    async (vault) => {
      const { server } = vault;
      const { fileId, newest } = await failedTwice(vault);
      const path = `/admin/sync-queue/${fileId}`;
      const skipped = await server.done("POST", `${path}/skip`, { body: { reason } });
      expect(skipped).toMatchObject({ syncQueueId: newest, availabilityStatus: "ERROR" });
      const cancelled = await server.done("POST", `${path}/cancel`, { body: { reason } });
      expect(cancelled).toMatchObject({ affected: 1 });
      expect(cancelled.syncQueueId).not.toBe(newest);
      const refused = await server.refused("POST", `${path}/retry`);
      expect(refused).toMatchObject({ status: 409, error: "FILE_NOT_HELD" });
    },
    queue,
  );
});

describeFlaky("the list of held files", (it) => {
  it(
    "shows paths as people see them, also of files in the trash and of deleted ones",
    async (vault) => {
      const { server, nas } = vault;
      const token = await server.key(["files.read", "files.write"], { tenantId: "acme" });
      const folderId = await server.makeFolder("f", undefined, token);
      for (const [name, query] of [
        ["moved", undefined],
        ["trashed", ""],
        ["deleted", "?permanent=true"],
      ] as const) {
        const { fileId } = await server.upload({ name, bytes: name, folderId, token });
        await server.synced();
        nas.failNext(query === "?permanent=true" ? "remove" : "move", "DENIED");
        if (query !== undefined) await server.done("DELETE", `/files/${fileId}${query}`, { token });
        else await server.done("PUT", `/files/${fileId}/rename`, { token, body: { newName: "t" } });
        await server.synced();
      }
      const { items } = await until(async () => {
        const held = await server.done("GET", "/admin/sync-queue/held");
        return held.total === 3 && held;
      });
      expect(items.map(({ path }: { path: string }) => path)).toEqual(["/f/t", "/f/trashed", "/f/deleted"]);
    },
    { attempts: 1 },
  );
});

function heldOnce({ server }: FlakyVault) {
  return until(async () => {
    const held = await server.done("GET", "/admin/sync-queue/held");
    return held.total > 0 && held;
  });
}
