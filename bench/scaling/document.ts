/** docs/scaling.md, written from what is written by hand (`scaling.md.template`) and what was last measured. */
import { readFile, writeFile } from "node:fs/promises";
import { installations } from "./installations.ts";
import { type Measured, short } from "./world.ts";

const TEMPLATE = new URL("scaling.md.template", import.meta.url);
const DOCUMENT = new URL("../../docs/scaling.md", import.meta.url);
/** The file with the last figure of every measurement. */
const FIGURES = new URL("../../docs/scaling.json", import.meta.url);

/** Puts what was found beside what was found before, and writes the document. */
export async function writeScaling(found: Measured): Promise<void> {
  const before: Measured = JSON.parse(await readFile(FIGURES, "utf8").catch(() => "{}"));
  const all = { ...before, ...found };
  await writeFile(FIGURES, `${JSON.stringify(all, rounded, 2)}\n`);
  await writeFile(DOCUMENT, renderScaling(await readFile(TEMPLATE, "utf8"), all));
}

/**
 * `{{name}}` becomes the table or the figure of that name, `{{name * 1000 / other}}` what is computed of figures from the
 * left to the right. Throws where nothing has that name.
 */
export function renderScaling(template: string, measured: Measured): string {
  const all: Measured = { ...measured, ...installations(measured) };
  return template.replaceAll(/\{\{([^}]+)\}\}/g, (_, expression: string) => {
    const [first = "", ...rest] = expression.trim().split(/\s+/);
    const value = valueOf(all, first);
    if (typeof value === "string") return value;
    let result = value;
    for (let at = 0; at < rest.length; at += 2) {
      const operand = Number(valueOf(all, rest[at + 1] ?? ""));
      const [times, over] = rest[at] === "*" ? [operand, 1] : [1, operand];
      if (rest[at] !== "*" && rest[at] !== "/") throw new Error(`What is ${expression}?`);
      result = (result * times) / over;
    }
    return short(result);
  });
}

function valueOf(all: Measured, name: string): string | number {
  const value = /^[\d.]+$/.test(name) ? Number(name) : all[name];
  if (value === undefined) throw new Error(`Nothing was measured as ${name}.`);
  return value;
}

function rounded(_key: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
}
