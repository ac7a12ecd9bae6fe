import { type Settings, SettingsError, settingsOf, settingsOfApp } from "@andon/server";
import { vaultApp } from "@andon/vault";
import { describe, expect, test } from "vitest";
import type { GivenSettings } from "../src/contract/settings.ts";
import { placesOf } from "../src/places.ts";

const app = vaultApp();
const settingsWith = (given: Record<string, unknown>): Settings =>
  settingsOf({ ...given, apps: [app as never] });

function problemOf(given: Record<string, unknown>): SettingsError {
  try {
    settingsWith(given);
  } catch (error) {
    if (error instanceof SettingsError) return error;
    throw error;
  }
  throw new Error("the settings were accepted");
}

describe("a bad address is reported without its secrets, with the allowed forms", () => {
  test.each<[Record<string, unknown>, string, string]>([
    [
      { cache: "s4://b?secret=x" },
      'cache is "s4://b?…"; allowed: file:<folder>, or s3://bucket/prefix?endpoint=…&region=…',
      'cache: 값이 "s4://b?…"입니다. 허용되는 값: file:<폴더>, 또는 s3://bucket/prefix?endpoint=…&region=…',
    ],
    [
      { nas: "ftp://me:pw@nas/x" },
      'nas is "ftp://***@nas/x"; allowed: file:<folder>, or smb://user:password@host/share/path, sftp://user@host/path?key=…&hostKey=SHA256:…, webdavs://user@host/path?passwordEnv=…',
      'nas: 값이 "ftp://***@nas/x"입니다. 허용되는 값: file:<폴더>, 또는 smb://user:password@host/share/path, sftp://user@host/path?key=…&hostKey=SHA256:…, webdavs://user@host/path?passwordEnv=…',
    ],
  ])("%j", (given, en, ko) => {
    const problem = problemOf(given);
    expect(problem.lines("en")).toEqual([expect.stringContaining(en)]);
    expect(problem.lines("ko")).toEqual([expect.stringContaining(ko)]);
  });
});

test("cache and NAS are folders of the data folder unless they are set", () => {
  const given = settingsOfApp(app, settingsWith({ data: "/var/lib/andon" })) as GivenSettings;
  expect(placesOf(given, "/var/lib/andon")).toEqual({
    cache: "file:/var/lib/andon/cache",
    nas: "file:/var/lib/andon/nas",
  });
  const elsewhere = settingsOfApp(app, settingsWith({ nas: "file:/mnt/share" })) as GivenSettings;
  expect(placesOf(elsewhere, "/data").nas).toBe("file:/mnt/share");
  const share = settingsOfApp(app, settingsWith({ nas: "smb://me:pw@nas/files" })) as GivenSettings;
  expect(placesOf(share, "/data").nas).toBe("smb://me:pw@nas/files");
});

test.each([
  "sftp://me@nas:2222/volume1/files?key=/etc/andon/nas_key&hostKey=SHA256:abc",
  "webdav://nas/files",
  "webdavs://me:secret@nas/files",
])("the NAS may be %s", (nas) => {
  const given = settingsOfApp(app, settingsWith({ nas })) as GivenSettings;
  expect(placesOf(given, "/data").nas).toBe(nas);
});
