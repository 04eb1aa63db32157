/** Links between the pages lead to files and headings that exist, and the index of docs names every page. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const markdown = (folder: string): string[] =>
  readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}${name}`);
const pages = [...markdown("./"), ...markdown("docs/"), ...markdown("docs/adr/")];

/** The anchors of a page's headings, as code hosts make them. */
function anchors(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test.each(pages)("the links of %s lead somewhere", (page) => {
  const base = new URL(page, root);
  const broken = [...readFileSync(base, "utf8").matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^(?:https?|mailto):/.test(target))
    .filter((target) => {
      const url = new URL(target, base);
      if (!existsSync(fileURLToPath(url))) return true;
      if (url.hash === "" || statSync(url).isDirectory()) return false;
      return url.pathname.endsWith(".md") && !anchors(readFileSync(url, "utf8")).includes(url.hash.slice(1));
    });
  expect(broken).toEqual([]);
});

test("the index names every page", () => {
  const index = readFileSync(new URL("docs/README.md", root), "utf8");
  const missing = markdown("docs/").filter((page) => !index.includes(`](${page.replace("docs/", "")})`));
  expect(missing.filter((page) => page !== "docs/README.md")).toEqual([]);
});
