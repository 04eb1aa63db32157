/** A page as people see it: on a phone and on a large screen, in light and in dark. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { findBarriers, shoot } from "./console-scene.ts";

const WIDTHS = { phone: { width: 390, height: 844 }, large: { width: 1280, height: 800 } } as const;

/** Checks a page by axe in each view, and that nothing is wider than the screen. Leaves it large and light. */
export async function checkViews(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [width, size] of Object.entries(WIDTHS)) {
      await page.setViewportSize(size);
      const view = `${name}-${width}-${colorScheme}`;
      expect(await findBarriers(page), view).toEqual([]);
      const isWider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      expect(isWider, `${view} is wider than its screen`).toBe(false);
      await shoot(page, view);
    }
  }
}
