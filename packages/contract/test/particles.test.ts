import { expect, test } from "vitest";
import { filledIn } from "../src/fill-in.ts";
import { withParticle } from "../src/particles.ts";

test.each([
  ["작업", "작업이", "작업은", "작업을", "작업과", "작업으로"],
  ["큐", "큐가", "큐는", "큐를", "큐와", "큐로"],
  ["메일", "메일이", "메일은", "메일을", "메일과", "메일로"],
  ["10", "10이", "10은", "10을", "10과", "10으로"],
  ["42", "42가", "42는", "42를", "42와", "42로"],
  ["7", "7이", "7은", "7을", "7과", "7로"],
  ["report", "report가", "report는", "report를", "report와", "report로"],
  ["nas-sync", "nas-sync가", "nas-sync는", "nas-sync를", "nas-sync와", "nas-sync로"],
  ["admin", "admin이", "admin은", "admin을", "admin과", "admin으로"],
  ["file", "file이", "file은", "file을", "file과", "file로"],
  ["billing", "billing이", "billing은", "billing을", "billing과", "billing으로"],
  ["URL", "URL이", "URL은", "URL을", "URL과", "URL로"],
  ["01HXME", "01HXME가", "01HXME는", "01HXME를", "01HXME와", "01HXME로"],
  ['"사진.jpg"', '"사진.jpg"가', '"사진.jpg"는', '"사진.jpg"를', '"사진.jpg"와', '"사진.jpg"로'],
  [
    "“견적(최종)”",
    "“견적(최종)”이",
    "“견적(최종)”은",
    "“견적(최종)”을",
    "“견적(최종)”과",
    "“견적(최종)”으로",
  ],
  ["写真", "写真이(가)", "写真은(는)", "写真을(를)", "写真과(와)", "写真(으)로"],
  ["…", "…이(가)", "…은(는)", "…을(를)", "…과(와)", "…(으)로"],
])("%s takes its particles", (word, subject, topic, object, companion, direction) => {
  expect(withParticle(word, "이(가)")).toBe(subject);
  expect(withParticle(word, "은(는)")).toBe(topic);
  expect(withParticle(word, "을(를)")).toBe(object);
  expect(withParticle(word, "과(와)")).toBe(companion);
  expect(withParticle(word, "(으)로")).toBe(direction);
});

test("a filled-in text has the particles of its facts", () => {
  const text = '{by}이(가) 큐 "{queue}"을(를) 정지했습니다.';
  expect(filledIn(text, { by: "최민수", queue: "메일" })).toBe('최민수가 큐 "메일"을 정지했습니다.');
  expect(filledIn(text, { by: "김영민", queue: "report" })).toBe('김영민이 큐 "report"를 정지했습니다.');
});

test("a fact keeps what is written in it, and a missing one keeps both forms", () => {
  expect(filledIn('"{name}"이(가) 없습니다', { name: "을(를)" })).toBe('"을(를)"이 없습니다');
  expect(filledIn("{name}이(가) 없습니다", {})).toBe("{name}이(가) 없습니다");
  expect(filledIn("{name}이(가) 없습니다", {}, () => "-")).toBe("-이(가) 없습니다");
});
