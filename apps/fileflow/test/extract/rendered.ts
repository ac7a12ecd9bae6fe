import { ensureBrowser } from "@andon/testkit";
import { chromium } from "playwright-core";

const LINES = ["안녕하세요. 문서 인식 시험입니다.", "The quick brown fox jumps over 2026."] as const;

/**
 * The same two lines as an image and as a PDF with an embedded font. Without a browser: prints a reason and returns
 * undefined.
 */
export async function renderLines() {
  const executablePath = ensureBrowser();
  if (!executablePath) return undefined;
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage({ viewport: { width: 900, height: 240 } });
    await page.setContent(
      `<body style="font: 32px 'Noto Sans CJK KR'; margin: 40px">${LINES.join("<br>")}</body>`,
    );
    return { lines: LINES, png: await page.screenshot(), pdf: await page.pdf() };
  } finally {
    await browser.close();
  }
}
