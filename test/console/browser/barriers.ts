/** What axe finds wrong on a page. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

/** The rules that depend on the colors of a page. */
export const COLOR_RULES = ["color-contrast", "link-in-text-block"] as const;

let source: Promise<string> | undefined;

/** Loads axe into a document that has none: to send and compile it takes as long as a check. */
async function loadAxe(page: Page): Promise<void> {
  if (await page.evaluate(() => "axe" in window)) return;
  source ??= readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  await page.evaluate(await source);
}

interface Options {
  /** Absent: all rules that are not experiments. */
  readonly runOnly?: readonly string[];
  /** The kinds of results that name all elements they are about; the others take half of the time. */
  readonly resultTypes: readonly string[];
  /** Copies style sheets, which the policy of the page reports while one still loads; no rule that runs needs them. */
  readonly preload: boolean;
}

/** Gives what axe finds wrong on a page, by rule and place: by all rules, or by some. */
export async function findBarriers(page: Page, rules?: readonly string[]): Promise<string[]> {
  await loadAxe(page);
  const options: Options = {
    resultTypes: ["violations"],
    preload: false,
    ...(rules !== undefined && { runOnly: rules }),
  };
  return page.evaluate(async (options) => {
    const { axe } = window as unknown as {
      axe: { run(options: Options): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run(options);
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }, options);
}
