import { checkedOptions } from "@andon/contract";
import { expect, test } from "vitest";
import { channelsOf } from "../../src/alerts/channels.ts";
import { OUTBOX_RULES_FOR_ALERTS } from "../../src/alerts/outbox-rules.ts";
import { alertSettings } from "../../src/alerts/settings.ts";

test("the defaults are Korean, the contract's limits, and the log", () => {
  const settings = alertSettings.parse({});
  expect(settings).toEqual({
    language: "ko",
    channels: [],
    waitingAbove: 100,
    waitingFor: 5_000,
    degradedLongerThan: 30_000,
    unworkedLongerThan: 30_000,
    updateEvery: 300_000,
    pausedLongerThan: 3_600_000,
  });
  expect(channelsOf(settings).map(({ name }) => name)).toEqual(["log"]);
});

test.each([
  { chanels: [] },
  { channels: [{ type: "webhook" }] },
  { channels: [{ type: "webhook", url: "ftp://example.com/" }] },
  { channels: [{ type: "webhook", url: "/relative" }] },
  { channels: [{ type: "webhook", url: "https://example.com/", sercet: "x" }] },
  { channels: [{ type: "email", smtp: "https://example.com/", to: "a@example.com" }] },
  { channels: [{ type: "email", smtp: "smtp://example.com", to: [] }] },
  { channels: [{ type: "pager" }] },
  { pausedLongerThan: "soon" },
])("%j is refused", (given) => {
  expect(() => checkedOptions("the alerts", alertSettings, given)).toThrow(/alerts/);
});

test("a channel's name is its own or made from type and host, unique, and contains no secret", () => {
  const settings = alertSettings.parse({
    channels: [
      { type: "webhook", url: "https://user:pw@hooks.example.com/secret", secret: "s" },
      { type: "webhook", url: "https://hooks.example.com/other" },
      { type: "slack", url: "https://hooks.slack.com/services/T0/B0/secret", name: "ops" },
      { type: "email", smtp: "smtps://user:pw@mail.example.com", to: "a@example.com", name: "ops" },
      { type: "log", name: "journal" },
    ],
  });
  expect(channelsOf(settings).map(({ name }) => name)).toEqual([
    "journal",
    "ops",
    "ops#2",
    "webhook:hooks.example.com",
    "webhook:hooks.example.com#2",
  ]);
});

test("an alert message that finally fails is skipped; any other message holds its destination", () => {
  const choose = OUTBOX_RULES_FOR_ALERTS.onFinalFailure;
  const failure = { code: "Error", message: "", fault: "job" as const };
  if (typeof choose !== "function") throw new Error("not a function");
  expect(choose(failure, { id: "1", name: "alert.webhook" })).toBe("skip");
  expect(choose(failure, { id: "1", name: "order.created" })).toBe("hold-lane");
});
