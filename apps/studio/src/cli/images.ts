import { constants, openAsBlob } from "node:fs";
import { access } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { command, EXIT, Failure, type Use } from "@andon/cli/app";
import { type Answer, RefusedError } from "@andon/client";
import { STUDIO_ROUTES } from "../contract/routes.ts";
import { TASK } from "./i18n.ts";
import { unreadable } from "./read-input.ts";

type Added = Answer<(typeof STUDIO_ROUTES)["tasks"]["addImages"]>;

export const taskImages = command({
  name: "task images",
  says: {
    en: "Adds images to a task: files are uploaded, the server fetches web addresses",
    ko: "작업에 이미지를 추가합니다. 파일은 업로드하고 웹 주소는 서버가 가져옵니다",
  },
  example: "andon task images 0198c0de-0000-7000-8000-000000000000 one.jpg two.png",
  given: {
    id: { says: TASK.taskId },
    images: {
      says: { en: "files, or addresses beginning with http", ko: "파일 또는 http로 시작하는 주소" },
      many: true,
    },
  },
  async run(use) {
    const { given, clientOf, out } = use;
    const { id, images } = given;
    const urls = images.filter((image) => /^https?:\/\//i.test(image));
    if (urls.length > 0 && urls.length < images.length) throw new Failure(EXIT.usage, TASK.imagesMixed);
    const answer =
      urls.length > 0
        ? await clientOf(STUDIO_ROUTES).tasks.addImages({ id, urls })
        : await upload(use, id, images);
    const { type, status } = answer;
    const facts = { count: images.length, total: answer.images.length, type, status };
    out.answer(answer, () => out.say(TASK.added, facts));
    return undefined;
  },
});

/** Uploads all files in one request, which stores all of them or none. Each file is read while it is sent. */
async function upload(
  { connection, shell, language }: Pick<Use, "connection" | "shell" | "language">,
  id: string,
  files: readonly string[],
): Promise<Added> {
  const form = new FormData();
  for (const file of files) form.append("images", await blobOf(shell, file), basename(file));
  const response = await connection.fetch(
    new URL(`/tasks/${encodeURIComponent(id)}/images`, connection.url),
    {
      method: "POST",
      headers: { authorization: `Bearer ${connection.token()}`, "accept-language": language },
      body: form,
    },
  );
  if (!response.ok) throw await RefusedError.of(response);
  return (await response.json()) as Added;
}

async function blobOf({ folder }: Use["shell"], file: string): Promise<Blob> {
  const path = resolve(folder, file);
  try {
    // `openAsBlob` gives no reason for a file that does not exist.
    await access(path, constants.R_OK);
    return await openAsBlob(path);
  } catch (error) {
    throw unreadable(file, error);
  }
}
