import { ensureBrowser } from "@andon/testkit";
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from "playwright-core";

/** Undefined where no browser can be had: the tests that need one are left out then. */
export const browserPath = ensureBrowser();

export async function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath ?? "", args: ["--no-sandbox"] });
}

/** A wait ends as soon as it is over; a machine that does many things at once takes several times as long. */
export const LONGEST_WAIT_MS = 45_000;

export interface Operator {
  readonly page: Page;
  /** Errors of the page and its console, violations of the content policy among them. */
  readonly complaints: string[];
  /**
   * Leaves nothing of one test to the next: no complaint, no route, no stored wish, no other size or colours. To sign in anew
   * costs the browser five times as much as to open a page.
   */
  startOver(): Promise<void>;
  close(): Promise<void>;
}

/** A person with a browser of their own, signed in by a console link of this server. */
export async function signIn(
  browser: Browser,
  server: { link(): Promise<string> },
  language: "ko" | "en",
  options: BrowserContextOptions = {},
): Promise<Operator> {
  const locale = language === "ko" ? "ko-KR" : "en-US";
  const context = await browser.newContext({ locale, reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(LONGEST_WAIT_MS);
  // Nobody asks a test for its name.
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

/** The word beside the lamp of a queue. A number of its page is called "Running" too. */
export function lampWord(page: Page, word: string): Locator {
  const words = page.locator(".lamp-word").filter({ hasText: new RegExp(`^${word}$`), visible: true });
  return words.first();
}
