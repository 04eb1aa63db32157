/** The command of `npm start`, so that the benchmark starts the server with the same options of Node. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const PACKAGE = fileURLToPath(new URL("../../package.json", import.meta.url));
const COMMAND = /^exec env ((?:[A-Z_]+=\S+ )+)node (.+)$/;

export interface ServeCommand {
  /** Arguments of Node; the program has its whole path. */
  readonly arguments: readonly string[];
  /** Variables that the script sets. */
  readonly env: Readonly<Record<string, string>>;
}

export function serveCommand(): ServeCommand {
  const { scripts } = z
    .object({ scripts: z.object({ start: z.string() }) })
    .parse(JSON.parse(readFileSync(PACKAGE, "utf8")));
  const [, variables, words] = COMMAND.exec(scripts.start) ?? [];
  if (variables === undefined || words === undefined)
    throw new Error(`npm start is no single program of Node with its variables: ${scripts.start}`);
  return {
    arguments: words.split(" ").map((word) => (/\.(?:ts|mjs)$/.test(word) ? join(dirname(PACKAGE), word) : word)),
    env: Object.fromEntries(variables.trim().split(" ").map(toVariable)),
  };
}

function toVariable(assignment: string): [string, string] {
  const at = assignment.indexOf("=");
  return [assignment.slice(0, at), assignment.slice(at + 1)];
}

/** Gives the options of `npm start` that are for Node. */
export function serveOptions(): string[] {
  return serveCommand().arguments.filter((argument) => argument.startsWith("--"));
}
