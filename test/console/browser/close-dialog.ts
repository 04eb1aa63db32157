import type { Page } from "playwright-core";

/**
 * Closes the dialog of a page by Escape, and waits until it is out of the page. A closed dialog is out of sight before the
 * page has heard of it: what is pressed until then would be taken back.
 */
export async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
}
