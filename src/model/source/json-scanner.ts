/** Finds the local modules and the paths in a file of the engine's JSON syntax. */
import { type FileScan, ScanCollector, unreadable } from "./file-scan.ts";
import { HclUnreadable, tokenizeTemplate } from "./hcl-lexer.ts";
import { literalOf, scanTemplate } from "./hcl-scanner.ts";
import { type JsonNode, JsonUnreadable, membersOf, parseJsonNodes } from "./json-tokens.ts";
import { addLeavingPath } from "./path-text.ts";

/** Scans a file. Text that is no JSON gives a scan that reads everything. */
export function scanJson(text: string): FileScan {
  const found = new ScanCollector();
  try {
    for (const { name, value } of membersOf(parseJsonNodes(text))) {
      if (name === "module") scanModules(found, value);
      else scanValue(found, value);
    }
  } catch (error) {
    if (!(error instanceof HclUnreadable || error instanceof JsonUnreadable)) throw error;
    return unreadable(error.message);
  }
  return found.result();
}

/** Scans blocks of modules: by label, each one object or a list of them. */
function scanModules(found: ScanCollector, modules: JsonNode): void {
  for (const { value } of membersOf(modules)) {
    for (const { name, value: argument } of membersOf(value)) {
      if (name === "source" && argument.type === "text") addSource(found, argument.text);
      else if (name === "source") found.readAll("source = ...");
      else scanValue(found, argument);
    }
  }
}

function addSource(found: ScanCollector, text: string): void {
  const source = literalOf(tokenizeTemplate(text));
  if (source === null) found.readAll(`source = ${JSON.stringify(text)}`);
  else found.addModule(source);
}

/** Scans texts at any depth; each may be a template. */
function scanValue(found: ScanCollector, node: JsonNode): void {
  switch (node.type) {
    case "text": {
      const parts = tokenizeTemplate(node.text);
      addLeavingPath(found, parts, JSON.stringify(node.text));
      scanTemplate(found, parts, node.text);
      return;
    }
    case "array":
      for (const item of node.items) scanValue(found, item);
      return;
    case "object":
      for (const { value } of node.members) scanValue(found, value);
      return;
    case "other":
  }
}
