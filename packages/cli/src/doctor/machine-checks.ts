import { constants } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { FOUND } from "../i18n/doctor.ts";
import type { Check } from "./check.ts";
import { freeSpace } from "./free-space.ts";
import { codeOf, problemOf } from "./problem-of.ts";

const OLDEST_NODE = [20, 19] as const;

// The checks of this file need no server.
export const nodeVersion: Check = {
  name: "node",
  async run() {
    const { version } = process;
    const [major = 0, minor = 0] = version.slice(1).split(".").map(Number);
    const isNew = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
    return isNew
      ? [{ level: "ok", what: FOUND.nodeGood, facts: { version } }]
      : [{ level: "bad", what: FOUND.nodeOld, facts: { version }, todo: FOUND.nodeTodo }];
  },
};

export const settings: Check = {
  name: "settings",
  async run({ settingsProblems }) {
    if (settingsProblems.length === 0) return [{ level: "ok", what: FOUND.settingsGood }];
    return settingsProblems.map((problem) => {
      return { level: "bad", what: FOUND.settingsBad, facts: { problem }, todo: FOUND.settingsTodo } as const;
    });
  },
};

export const dataFolder: Check = {
  name: "data",
  async run({ dataFolder: folder }) {
    try {
      await access(folder, constants.W_OK | constants.X_OK);
      return [{ level: "ok", what: FOUND.folderGood, facts: { folder } }];
    } catch (error) {
      const problem = problemOf(error);
      if (problem === "ENOENT")
        return [
          { level: "warn", what: FOUND.folderMissing, facts: { folder }, todo: FOUND.folderMissingTodo },
        ];
      return [{ level: "bad", what: FOUND.folderBad, facts: { folder, problem }, todo: FOUND.folderTodo }];
    }
  },
};

export const adminKey: Check = {
  name: "admin.key",
  async run({ dataFolder: folder }) {
    const file = join(folder, "admin.key");
    // On Windows the file mode does not tell who may read a file.
    if (process.platform === "win32") return [];
    const found = await stat(file).catch((error: unknown) => {
      if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
      throw error;
    });
    if (!found) return [];
    const mode = (found.mode & 0o777).toString(8);
    return found.mode & 0o077
      ? [{ level: "bad", what: FOUND.keyOpen, facts: { file, mode }, todo: FOUND.keyTodo }]
      : [{ level: "ok", what: FOUND.keyGood, facts: { file } }];
  },
};

export const diskSpace: Check = {
  name: "disk",
  async run({ dataFolder: folder }) {
    const disk = await statfs(folder).catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return undefined;
      throw error;
    });
    if (!disk) return [];
    return [freeSpace(disk.bavail * disk.bsize, folder)];
  },
};
