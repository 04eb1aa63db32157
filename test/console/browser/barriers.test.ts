/** The check that all pages go through finds what it must: a check that finds nothing would pass everywhere. */
import { expect, it } from "vitest";
import { openContext } from "../../browser/chromium.ts";
import { COLOR_RULES, findBarriers } from "./barriers.ts";
import { shareChromium } from "./shared-chromium.ts";

const PAGE = `<!doctype html><html lang="en"><title>A page</title>
  <style>@media (prefers-color-scheme: dark) { body { background: #111; } p { color: #222; } }</style>
  <main><h1>A page</h1><p>Some text</p><input></main></html>`;

it("finds a field without a name in light, and a text that is not seen in dark", async () => {
  const chromium = await shareChromium();
  await using context = await openContext(chromium, { colorScheme: "light" });
  const page = await context.newPage();
  await page.setContent(PAGE);
  expect(await findBarriers(page)).toEqual([expect.stringMatching(/^label: <input>/)]);
  expect(await findBarriers(page, COLOR_RULES)).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await findBarriers(page, COLOR_RULES)).toEqual([
    expect.stringMatching(/^color-contrast: <h1>/),
    expect.stringMatching(/^color-contrast: <p>/),
  ]);
});
