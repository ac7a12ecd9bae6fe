import type { Locator, Page } from "playwright-core";

/** How a person uses the page: with the mouse, with only the keyboard, or by touch on a phone. */
export type Hands = "mouse" | "keyboard" | "phone";

const PHONE = { width: 390, height: 844 };
const MOST_TABS = 80;

export const contextOf = (hands: Hands) => (hands === "phone" ? { viewport: PHONE, hasTouch: true } : {});

/** Presses a control in this way. With the keyboard it is reached only by Tab. */
export async function press(page: Page, hands: Hands, control: Locator): Promise<void> {
  await control.waitFor();
  if (hands === "phone") return control.tap();
  if (hands === "mouse") return control.click();
  await tabTo(page, control);
  await page.keyboard.press("Enter");
}

/** Types into a field that is reached in the same way. */
export async function write(page: Page, hands: Hands, box: Locator, text: string): Promise<void> {
  await box.waitFor();
  if (hands === "keyboard") await tabTo(page, box);
  else await press(page, hands, box);
  await page.keyboard.type(text);
}

async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let tab = 0; tab < MOST_TABS; tab++) {
    if (await control.evaluate(hasFocus)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`the focus does not reach ${control}`);
}

/** Runs in the page: the test side does not have the DOM types. */
type Focusable = { readonly ownerDocument: { readonly activeElement: unknown } };
const hasFocus = (element: unknown) => (element as Focusable).ownerDocument.activeElement === element;
