import { describe, expect, test } from "vitest";
import { CORE_COMMANDS } from "../src/commands/index.ts";
import { flagOf } from "../src/terminal/command.ts";
import { andon, cliApps } from "./harness.ts";

const COMMANDS = [...CORE_COMMANDS, ...cliApps.flatMap(({ commands }) => commands)];
const withQueue = (text: string) => text.replaceAll("{queue}", "nas-sync");

describe.each(["en", "ko"] as const)("help in %s", (lang) => {
  test.each(COMMANDS.map((spec) => [spec.name, spec] as const))(
    "%s names its options and gives an example",
    async (name, spec) => {
      const { code, stdout, stderr } = await andon([...name.split(" "), "--help", "--lang", lang]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      for (const option of Object.keys(spec.options)) expect(stdout).toContain(flagOf(option));
      expect(stdout).toContain(`${lang === "ko" ? "예:" : "Example:"}\n  ${withQueue(spec.example)}`);
      expect(stdout).toContain(spec.says[lang].slice(0, 20));
      expect(/[가-힣]/.test(stdout)).toBe(lang === "ko");
    },
  );

  test("the list names every command", async () => {
    const { stdout } = await andon(["--help", "--lang", lang]);
    for (const { name } of COMMANDS) expect(stdout).toContain(`  ${name.split(" ")[0]}`);
    expect((await andon(["--lang", lang])).stdout).toBe(stdout);
  });
});

test("every example starts with its own command", () => {
  for (const { name, example } of COMMANDS) expect(example.startsWith(`andon ${name}`)).toBe(true);
});

describe("an invalid command line ends with 2 and says what was meant", () => {
  test.each([
    [["stauts"], 'There is no command "stauts".', 'Did you mean "status"?'],
    [["stp"], 'There is no command "stp".', 'Did you mean "stops"?'],
    [["faild"], 'There is no command "faild".', 'Did you mean "failed"?'],
    [["keys", "lst"], 'There is no command "lst".', 'Did you mean "list"?'],
    [["lane"], "<command> is missing.", "Known: hold, release, cancel-rest."],
    [["status", "--jsno"], 'There is no option "--jsno".', 'Did you mean "--json"?'],
    [["skip", "1"], "--reason is needed.", "Help: andon skip --help"],
    [["skip", "1", "--reason"], "--reason needs a value.", "Help: andon skip --help"],
    [["show"], "<job> is missing.", "Help: andon show --help"],
    [
      ["why", "1", "2"],
      'Too many arguments: andon why takes <job>, and not also "2".',
      "Help: andon why --help",
    ],
    [
      ["lane", "hold", "zed", "mails"],
      'Too many arguments: andon lane hold takes <key>, and not also "mails".',
      "The queue goes by --queue.",
    ],
    [["keys", "list", "all"], 'Too many arguments: andon keys list takes none, and not "all".', ""],
    [["jobs", "--limit", "1000"], '--limit is "1000"; allowed: a whole number from 1 to 100.', ""],
    [["jobs", "--page", "0"], '--page is "0"; allowed: a whole number, 1 or more.', ""],
    [["watch", "--after", "-1"], '--after is "-1"; allowed: a whole number, 0 or more.', ""],
    [["jobs", "--state", "faild"], '--state is "faild"; allowed: scheduled', ""],
    [["jobs", "--limit", "many"], '--limit is "many"; allowed: a whole number', ""],
    [["jobs", "--from", "yesterday"], '--from is "yesterday"; allowed: a time in ISO 8601 and UTC', ""],
    [["keys", "create", "x", "--expires", "2027"], '--expires is "2027"; allowed: a time', ""],
    [["plan", "delete"], '<action> is "delete"; allowed: retry, skip, cancel.', ""],
    [["queues", "--lang", "fr"], '--lang is "fr"; allowed: ko, en.', ""],
    [["queues", "--url", "nas"], '"nas" is not the address of a server', ""],
    [["retry"], "Say which jobs to retry", ""],
    [["retry", "1", "--all"], "Say which jobs to retry", ""],
    [["watch", "--board"], "--board needs a terminal", ""],
    [["watch", "--board", "--json"], "--board and --json exclude each other", ""],
  ])("andon %j", async (args, message, hint) => {
    const { code, stdout, stderr } = await andon(args, { env: { ANDON_TOKEN: "t" } });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`Error: ${message}`);
    expect(stderr).toContain(hint);
  });

  test("in Korean too, by --lang, LC_ALL or LANG", async () => {
    const korean = '오류: "faild" 명령은 없습니다.\n"failed"를 쓰려고 했나요?';
    expect((await andon(["faild", "--lang", "ko"])).stderr).toContain(korean);
    expect((await andon(["faild"], { env: { LANG: "ko_KR.UTF-8" } })).stderr).toContain(korean);
    expect((await andon(["faild"], { env: { LANG: "en_US.UTF-8", LC_ALL: "ko" } })).stderr).toContain(korean);
    expect((await andon(["faild", "--lang=en"], { env: { LANG: "ko_KR.UTF-8" } })).stderr).toContain(
      "Error:",
    );
    expect((await andon(["faild"], { env: { LANG: "kok_IN" } })).stderr).toContain("Error:");
  });
});

test("--version gives the version of the package", async () => {
  expect((await andon(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});
