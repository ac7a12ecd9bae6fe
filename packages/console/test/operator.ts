import { ensureBrowser } from "@andon/testkit";
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from "playwright-core";

/** Undefined if no browser is available: tests that need one are then skipped. */
export const browserPath = ensureBrowser();

export async function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath ?? "", args: ["--no-sandbox"] });
}

/** The limit of a wait, which ends as soon as its condition holds. A busy machine takes several times as long. */
export const LONGEST_WAIT_MS = 45_000;

export interface Operator {
  readonly page: Page;
  /** Errors of the page and its console, including violations of the content security policy. */
  readonly complaints: string[];
  /**
   * Resets everything between tests: complaints, routes, stored settings, size and colours. A new login would cost the browser
   * five times as much as opening a page.
   */
  startOver(): Promise<void>;
  close(): Promise<void>;
}

/** A person with a separate browser context, signed in with a console link of this server. */
export async function signIn(
  browser: Browser,
  server: { link(): Promise<string> },
  language: "ko" | "en",
  options: BrowserContextOptions = {},
): Promise<Operator> {
  const locale = language === "ko" ? "ko-KR" : "en-US";
  const context = await browser.newContext({ locale, reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(LONGEST_WAIT_MS);
  // Tests are not asked for a name.
  await context.addInitScript('sessionStorage.setItem("andon.name-later", "")');
  const page = await context.newPage();
  const size = page.viewportSize();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    complaints.push(`${message.text()} ${message.location().url}`.trim());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(await server.link());
  await page.locator("[data-live=live]").waitFor();
  const startOver = async () => {
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.evaluate("localStorage.clear(); sessionStorage.clear()");
    await page.emulateMedia({ colorScheme: null, reducedMotion: "reduce" });
    if (size) await page.setViewportSize(size);
    complaints.length = 0;
  };
  return { page, complaints, startOver, close: () => context.close() };
}

/** The word beside a queue's lamp. A class is needed, because a number of the page is also labelled "Running". */
export function lampWord(page: Page, word: string): Locator {
  const words = page.locator(".lamp-word").filter({ hasText: new RegExp(`^${word}$`), visible: true });
  return words.first();
}
