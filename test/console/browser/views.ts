/** The views of a page: on a phone, on a large screen and on one that is read at 400 percent, in light and in dark. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { COLOR_RULES, findBarriers } from "./barriers.ts";
import { shoot } from "./console-scene.ts";

/** What is left of 1280 pixels at 400 percent: all must be read there without scrolling to the side (WCAG 1.4.10). */
const ENLARGED = { width: 320, height: 256 };
const WIDTHS = { phone: { width: 390, height: 844 }, large: { width: 1280, height: 800 } } as const;

/**
 * Checks a page by axe in each view, and that nothing is wider than the screen. Dark differs from light in its colors alone, so the
 * rules about anything else are checked in light. Leaves the page large and light, and live if it was: axe may take so long that a
 * reply comes too late, and then buttons are disabled until the next one.
 */
export async function checkViews(page: Page, name: string): Promise<void> {
  const live = page.locator('[data-state="LIVE"]');
  const wasLive = (await live.count()) > 0;
  expect(await findWiderEnlarged(page), `${name} is wider than its screen at 400 percent`).toEqual([]);
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [width, size] of Object.entries(WIDTHS)) {
      await page.setViewportSize(size);
      const view = `${name}-${width}-${colorScheme}`;
      expect(await findBarriers(page, colorScheme === "dark" ? COLOR_RULES : undefined), view).toEqual([]);
      await checkWidth(page, view);
      expect(await isCurrentPageInSight(page), `${view}: the link of the page is out of sight`).toBe(true);
      await shoot(page, view);
    }
  }
  if (wasLive) await live.waitFor();
}

/** Gives the elements that are wider than the screen where a page is read at 400 percent. */
export async function findWiderEnlarged(page: Page): Promise<string[]> {
  await page.setViewportSize(ENLARGED);
  return findWider(page);
}

async function checkWidth(page: Page, view: string): Promise<void> {
  expect(await findWider(page), `${view} is wider than its screen`).toEqual([]);
}

/** Gives the innermost elements that make a page, or a dialog, wider than its screen. */
function findWider(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const roots = [document.documentElement, ...document.querySelectorAll("dialog[open]")];
    return roots
      .filter((root) => root.scrollWidth > root.clientWidth)
      .flatMap((root) => {
        const isWide = (element: Element): boolean => element.getBoundingClientRect().right > innerWidth;
        const wide = Array.from(root.querySelectorAll("*")).filter(
          (element) => isWide(element) && !Array.from(element.children).some(isWide),
        );
        const texts = wide.map((element) => element.outerHTML.slice(0, 200));
        return texts.length === 0 ? [root.localName] : texts;
      });
  });
}

/** Whether the list of pages shows where the person is; true on pages that are in no list. */
function isCurrentPageInSight(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const link = document.querySelector("nav[aria-label=Organization] [aria-current=page]");
    if (link === null) return true;
    const inner = link.getBoundingClientRect();
    const outer = (link.parentElement ?? link).getBoundingClientRect();
    return inner.left >= outer.left && inner.right <= outer.right;
  });
}
