/** Finds the local modules and the paths in a file of the engine's own syntax. */
import { type FileScan, ScanCollector, unreadable } from "./file-scan.ts";
import { HclUnreadable, type TemplatePart, type Token, tokenizeHcl } from "./hcl-lexer.ts";
import { addArgument, addLeavingPath, isReader } from "./path-text.ts";

/** Scans a file. Text that the engine cannot parse gives a scan that reads everything. */
export function scanHcl(text: string): FileScan {
  const found = new ScanCollector();
  try {
    const tokens = tokenizeHcl(text);
    scanBodies(found, tokens, text);
  } catch (error) {
    if (!(error instanceof HclUnreadable)) throw error;
    return unreadable(error.message);
  }
  return found.result();
}

/** Walks through the blocks of a file; brackets of expressions never reach it. */
function scanBodies(found: ScanCollector, tokens: readonly Token[], text: string): void {
  /** The types of the open blocks. */
  const open: string[] = [];
  let at = 0;
  for (let token = tokens[at]; token !== undefined; token = tokens[at]) {
    if (token.type === "newline") {
      at += 1;
      continue;
    }
    if (token.type === "sign" && token.text === "}" && open.length > 0) {
      open.pop();
      at += 1;
      continue;
    }
    if (token.type !== "name") throw new HclUnreadable("it is not in the engine's syntax");
    const next = tokens[at + 1];
    if (next?.type === "sign" && next.text === "=") {
      const end = endOfExpression(tokens, at + 2);
      scanAttribute(found, open, token.text, tokens.slice(at + 2, end), text);
      at = end;
      continue;
    }
    at = startOfBody(tokens, at + 1);
    open.push(token.text);
  }
  if (open.length > 0) throw new HclUnreadable("a block does not end");
}

/** Returns the index behind the `{` of a block, whose labels begin at `from`. */
export function startOfBody(tokens: readonly Token[], from: number): number {
  let at = from;
  for (let token = tokens[at]; token !== undefined; token = tokens[++at]) {
    if (token.type === "sign" && token.text === "{") return at + 1;
    if (token.type !== "name" && token.type !== "string") break;
  }
  throw new HclUnreadable("it is not in the engine's syntax");
}

const CLOSING: Record<string, string> = { "(": ")", "[": "]", "{": "}" };

/** Returns the index of the line break, or of the bracket of a block in one line, at which an expression ends. */
export function endOfExpression(tokens: readonly Token[], from: number): number {
  const brackets: string[] = [];
  let at = from;
  for (let token = tokens[at]; token !== undefined; token = tokens[++at]) {
    if (token.type === "newline" && brackets.length === 0) break;
    if (token.type !== "sign") continue;
    const closing = CLOSING[token.text];
    if (closing !== undefined) brackets.push(closing);
    else if (token.text === ")" || token.text === "]" || token.text === "}") {
      if (brackets.length === 0 && token.text === "}") break;
      if (brackets.pop() !== token.text) throw new HclUnreadable("brackets do not match");
    }
  }
  if (brackets.length > 0 || at === from) throw new HclUnreadable("an expression does not end");
  return at;
}

function scanAttribute(
  found: ScanCollector,
  open: readonly string[],
  name: string,
  tokens: readonly Token[],
  text: string,
): void {
  if (open.length === 1 && open[0] === "module" && name === "source") addSource(found, tokens, text);
  else scanExpression(found, tokens, text);
}

/** Adds the source of a module. Only OpenTofu takes other expressions than literals. */
function addSource(found: ScanCollector, tokens: readonly Token[], text: string): void {
  const [only, ...more] = tokens;
  const isText = only?.type === "string" || only?.type === "heredoc";
  const source = isText && more.length === 0 ? literalOf(only.parts) : null;
  if (source === null) found.readAll(`source = ${written(tokens, text)}`);
  else found.addModule(source);
}

/** Returns the text of a template without expressions; else `null`. */
export function literalOf(parts: readonly TemplatePart[]): string | null {
  const texts = textsOf(parts);
  return texts.length === parts.length ? texts.join("") : null;
}

/** Returns the texts of a template between its expressions. */
export function textsOf(parts: readonly TemplatePart[]): string[] {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
}

/** Scans all texts and calls of an expression, and those of the templates in it. */
function scanExpression(found: ScanCollector, tokens: readonly Token[], text: string): void {
  const paths = new Set<Token>();
  for (const [index, token] of tokens.entries()) {
    if (token.type === "string" || token.type === "heredoc") {
      if (token.type === "string" && !paths.has(token)) addLeavingPath(found, token.parts, written([token], text));
      scanTemplate(found, token.parts, text);
    }
    const bracket = tokens[index + 1];
    if (token.type !== "name" || !isReader(token.text) || bracket?.type !== "sign" || bracket.text !== "(") continue;
    const argument = firstArgument(tokens, index + 2).filter(({ type }) => type !== "newline");
    if (argument[0] !== undefined) paths.add(argument[0]);
    addArgument(found, argument, `${token.text}(${written(argument, text)})`);
  }
}

export function scanTemplate(found: ScanCollector, parts: readonly TemplatePart[], text: string): void {
  for (const part of parts) if (part.type === "expression") scanExpression(found, part.tokens, text);
}

/** More tokens are no plain path. */
const ARGUMENT_TOKENS = 32;

/** Returns the tokens of the first argument; those of a long one only in part. */
function firstArgument(tokens: readonly Token[], from: number): Token[] {
  const argument: Token[] = [];
  let depth = 0;
  for (const token of tokens.slice(from, from + ARGUMENT_TOKENS)) {
    if (token.type === "sign") {
      if (depth === 0 && (token.text === "," || token.text === ")")) break;
      if (CLOSING[token.text] !== undefined) depth += 1;
      else if (token.text === ")" || token.text === "]" || token.text === "}") depth -= 1;
    }
    argument.push(token);
  }
  return argument;
}

/** The longest text that is cut out of a file to be shown. */
const SHOWN_CHARACTERS = 200;

/** Returns the tokens as they are written in the file. */
function written(tokens: readonly Token[], text: string): string {
  const [first] = tokens;
  const last = tokens.findLast(({ type }) => type !== "newline");
  if (first === undefined || last === undefined) return "";
  const end = "end" in last ? last.end : last.start + ("text" in last ? last.text.length : 0);
  return text.slice(first.start, Math.min(end, first.start + SHOWN_CHARACTERS));
}
