import { randomUUID } from "node:crypto";
import { type Answer, type SteadyClient, Unknown } from "./steady-client.ts";
import { type Chance, type File, type Folder, VaultModel } from "./vault-model.ts";

const NAMES = ["a", "b", "c", "d", "e"];

/**
 * Sends random requests and records the acknowledged changes. If the outcome of a request is unknown, it is read
 * afterwards.
 */
export class Player {
  readonly model = new VaultModel();
  readonly #client: SteadyClient;
  readonly #chance: Chance;
  /** Called when the server does not answer; restarts it. */
  readonly #revive: () => Promise<void>;
  #made = 0;

  constructor(client: SteadyClient, chance: Chance, revive: () => Promise<void>) {
    this.#client = client;
    this.#chance = chance;
    this.#revive = revive;
  }

  async step(): Promise<void> {
    const trashed = this.model.filesIn("TRASHED");
    const active = this.model.filesIn("ACTIVE");
    const folders = [...this.model.folders].filter(([, { state }]) => state === "ACTIVE").map(([id]) => id);
    const moves: [weight: number, able: boolean, act: () => Promise<void>][] = [
      [6, true, () => this.#upload()],
      [2, folders.length < 6, () => this.#makeFolder()],
      [4, active.length > 0, () => this.#rename(this.#chance.pick(active))],
      [4, active.length > 0, () => this.#move(this.#chance.pick(active))],
      [3, active.length > 0, () => this.#remove(this.#chance.pick(active), false)],
      [1, active.length > 0, () => this.#remove(this.#chance.pick([...active, ...trashed]), true)],
      [2, trashed.length > 0, () => this.#restore(this.#chance.pick(trashed))],
      [1, folders.length > 0, () => this.#renameFolder(this.#chance.pick(folders))],
      [1, folders.length > 0, () => this.#moveFolder(this.#chance.pick(folders))],
      [1, folders.length > 0, () => this.#removeFolder(this.#chance.pick(folders))],
    ];
    const able = moves.filter(([, isAble]) => isAble);
    let left = this.#chance.next() * able.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, , act] of able) {
      left -= weight;
      if (left <= 0) return act();
    }
  }

  get #folder(): string {
    return this.#chance.pick(this.model.activeFolders());
  }

  async #upload(): Promise<void> {
    const [name, folderId, bytes] = [this.#chance.pick(NAMES), this.#folder, `bytes ${++this.#made}`];
    const answer = await this.#surely("/files/upload", () => {
      const form = new FormData();
      form.set("folderId", folderId);
      form.set("file", new Blob([bytes]), name);
      return form;
    });
    if (answer.status === 200)
      this.model.files.set(answer.body.fileId, { name, folderId, state: "ACTIVE", bytes });
  }

  async #makeFolder(): Promise<void> {
    const [name, parentId] = [this.#chance.pick(NAMES), this.#folder];
    const answer = await this.#surely("/folders", () => ({ name, parentId }));
    if (answer.status === 201) this.model.folders.set(answer.body.id, { name, parentId, state: "ACTIVE" });
  }

  #rename(id: string): Promise<void> {
    const newName = this.#chance.pick(NAMES);
    return this.#changeFile(id, "PUT", `/files/${id}/rename`, { newName }, { name: newName });
  }

  #move(id: string): Promise<void> {
    const targetFolderId = this.#folder;
    return this.#changeFile(
      id,
      "POST",
      `/files/${id}/move`,
      { targetFolderId },
      { folderId: targetFolderId },
    );
  }

  #remove(id: string, isForGood: boolean): Promise<void> {
    const path = `/files/${id}${isForGood ? "?permanent=true" : ""}`;
    return this.#changeFile(id, "DELETE", path, undefined, { state: isForGood ? "DELETED" : "TRASHED" });
  }

  #restore(id: string): Promise<void> {
    return this.#changeFile(id, "POST", `/files/${id}/restore`, undefined, { state: "ACTIVE" });
  }

  #renameFolder(id: string): Promise<void> {
    const newName = this.#chance.pick(NAMES);
    return this.#changeFolder(id, "PUT", `/folders/${id}/rename`, { newName }, { name: newName });
  }

  #moveFolder(id: string): Promise<void> {
    const targetFolderId = this.#folder;
    return this.#changeFolder(
      id,
      "POST",
      `/folders/${id}/move`,
      { targetFolderId },
      { parentId: targetFolderId },
    );
  }

  #removeFolder(id: string): Promise<void> {
    return this.#changeFolder(id, "DELETE", `/folders/${id}`, undefined, { state: "TRASHED" });
  }

  /** With an idempotency key, the request can be repeated until it is answered. */
  async #surely(path: string, body: () => unknown): Promise<Answer> {
    const headers = { "idempotency-key": randomUUID() };
    for (;;) {
      try {
        return await this.#client.ask("POST", path, body(), headers);
      } catch (error) {
        if (!(error instanceof Unknown)) throw error;
        await this.#revive();
      }
    }
  }

  async #changeFile(
    id: string,
    method: string,
    path: string,
    body: unknown,
    change: Partial<File>,
  ): Promise<void> {
    const before = this.model.files.get(id) as File;
    const isDone = await this.#isDone(method, path, body, async () => {
      const { status, body: now } = await this.#steadily(`/files/${id}`);
      if (status === 404) return change.state === "DELETED";
      const after = { ...before, ...change };
      return now.name === after.name && now.folderId === after.folderId && now.state === after.state;
    });
    if (isDone) this.model.files.set(id, { ...before, ...change });
  }

  async #changeFolder(
    id: string,
    method: string,
    path: string,
    body: unknown,
    change: Partial<Folder>,
  ): Promise<void> {
    const before = this.model.folders.get(id) as Folder;
    const isDone = await this.#isDone(method, path, body, async () => {
      const after = { ...before, ...change };
      for (;;) {
        const { body: now } = await this.#steadily(`/folders/${id}`);
        // The server died during its call to the NAS; the delayed job settles the folder.
        if (now.state === "TRASHING") await new Promise((resolve) => setTimeout(resolve, 100));
        else return now.name === after.name && now.parentId === after.parentId && now.state === after.state;
      }
    });
    if (isDone) this.model.folders.set(id, { ...before, ...change });
  }

  async #isDone(method: string, path: string, body: unknown, look: () => Promise<boolean>): Promise<boolean> {
    try {
      const { status } = await this.#client.ask(method, path, body);
      return status < 400;
    } catch (error) {
      if (!(error instanceof Unknown)) throw error;
      await this.#revive();
      return look();
    }
  }

  async #steadily(path: string): Promise<Answer> {
    for (;;) {
      try {
        return await this.#client.ask("GET", path);
      } catch (error) {
        if (!(error instanceof Unknown)) throw error;
        await this.#revive();
      }
    }
  }
}
