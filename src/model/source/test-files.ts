/** Finds the tests of a configuration that would create infrastructure: runs of test files that apply. */
import { HclUnreadable, type Token, tokenizeHcl } from "./hcl-lexer.ts";
import { endOfExpression, startOfBody, textsOf } from "./hcl-scanner.ts";
import { type JsonNode, JsonUnreadable, membersOf, parseJsonNodes } from "./json-tokens.ts";

/** The folder that engines search for test files, beside that of the configuration. */
export const TEST_FOLDER = "tests";

/** Copies that editors make have other ends, or begin with a dot. */
const TEST_FILE = /^[^.].*\.(?:tftest|tofutest)\.(?:hcl|json)$/s;

/** Whether an engine takes a file of this name for a test file. OpenTofu has names of its own. */
export function isTestFile(name: string): boolean {
  return TEST_FILE.test(name);
}

/** The names of the runs of a test file that apply, or the reason why the file cannot be read. */
export type AppliedRuns = { runs: string[]; problem: null } | { runs: []; problem: string };

/** Reads a test file. A run applies unless its `command` is exactly `plan`. */
export function appliedRuns(name: string, text: string): AppliedRuns {
  try {
    return {
      runs: name.endsWith(".json") ? runsOfJson(parseJsonNodes(text)) : runsOfHcl(tokenizeHcl(text)),
      problem: null,
    };
  } catch (error) {
    if (!(error instanceof HclUnreadable || error instanceof JsonUnreadable)) throw error;
    return { runs: [], problem: error.message };
  }
}

function runsOfHcl(tokens: readonly Token[]): string[] {
  const runs: string[] = [];
  /** The blocks that are open; a run applies until its command is read. */
  const open: { run: string | null; applies: boolean }[] = [];
  let at = 0;
  for (let token = tokens[at]; token !== undefined; token = tokens[at]) {
    if (token.type === "newline") {
      at += 1;
      continue;
    }
    const block = open.at(-1);
    if (token.type === "sign" && token.text === "}" && block !== undefined) {
      if (block.run !== null && block.applies) runs.push(block.run);
      open.pop();
      at += 1;
      continue;
    }
    if (token.type !== "name") throw new HclUnreadable("it is not in the engine's syntax");
    const next = tokens[at + 1];
    if (next?.type === "sign" && next.text === "=") {
      const end = endOfExpression(tokens, at + 2);
      const value = tokens.slice(at + 2, end);
      if (block !== undefined && token.text === "command") block.applies = !isPlan(value);
      at = end;
      continue;
    }
    const body = startOfBody(tokens, at + 1);
    const isRun = open.length === 0 && token.text === "run";
    open.push({ run: isRun ? labelOf(tokens[at + 1]) : null, applies: isRun });
    at = body;
  }
  if (open.length > 0) throw new HclUnreadable("a block does not end");
  return runs;
}

function isPlan(value: readonly Token[]): boolean {
  const [only] = value;
  return value.length === 1 && only?.type === "name" && only.text === "plan";
}

function labelOf(token: Token | undefined): string {
  if (token?.type === "name") return token.text;
  if (token?.type !== "string") return "";
  return textsOf(token.parts).join("");
}

/** A name that is there twice is two blocks, and each may be a list of blocks. */
function runsOfJson(file: JsonNode): string[] {
  const named = membersOf(file).filter(({ name }) => name === "run");
  return named
    .flatMap(({ value }) => membersOf(value))
    .flatMap(({ name, value }) =>
      blocksOf(value)
        .filter(appliesJson)
        .map(() => name),
    );
}

function appliesJson(block: JsonNode): boolean {
  const commands = membersOf(block).filter(({ name }) => name === "command");
  return commands.length !== 1 || commands.some(({ value }) => value.type !== "text" || value.text !== "plan");
}

function blocksOf(node: JsonNode): JsonNode[] {
  return node.type === "array" ? node.items.flatMap(blocksOf) : [node];
}
