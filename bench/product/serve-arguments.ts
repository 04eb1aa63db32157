/** The arguments of `npm start`, so that the benchmark starts the server with the same options of Node. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const PACKAGE = fileURLToPath(new URL("../../package.json", import.meta.url));
const NODE = "exec node ";

/** Arguments of Node; the program has its whole path. */
export function serveArguments(): string[] {
  const { scripts } = z
    .object({ scripts: z.object({ start: z.string() }) })
    .parse(JSON.parse(readFileSync(PACKAGE, "utf8")));
  const { start } = scripts;
  if (!start.startsWith(NODE)) throw new Error(`npm start is no single program of Node: ${start}`);
  const words = start.slice(NODE.length).split(" ");
  return words.map((word) => (/\.(?:ts|mjs)$/.test(word) ? join(dirname(PACKAGE), word) : word));
}

/** Gives the options of `npm start` that are for Node. */
export function serveOptions(): string[] {
  return serveArguments().filter((argument) => argument.startsWith("--"));
}
