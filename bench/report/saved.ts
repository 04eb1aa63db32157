/** Results of parts, each in a file of its own: the document is written from the newest of each. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Shape } from "../dataset/ids.ts";
import type { PartResult } from "../part.ts";
import type { MachineFacts } from "./machine.ts";
import { plotSvg } from "./plot.ts";

export interface Saved {
  readonly name: string;
  readonly title: string;
  readonly machine: MachineFacts;
  readonly shape: Shape;
  readonly quick: boolean;
  readonly result: PartResult;
}

const FOLDER = "benchmarks";

/** `output` is the folder that the document lies in; the plots are written as well. */
export async function saveResult(output: string, saved: Saved): Promise<void> {
  const folder = join(output, FOLDER);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${saved.name}.json`), `${JSON.stringify(saved, rounded, 2)}\n`);
  for (const plot of saved.result.plots) await writeFile(join(folder, `${plot.file}.svg`), plotSvg(plot));
}

/** null: it was never measured. */
export async function findSaved(output: string, name: string): Promise<Saved | null> {
  try {
    const text = await readFile(join(output, FOLDER, `${name}.json`), "utf8");
    // oxlint-disable-next-line typescript/consistent-type-assertions -- written by saveResult alone
    return JSON.parse(text) as Saved;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** Rounds a figure: more digits than can be measured only make meaningless differences. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value;
}
