/** Parses JSON with all members of an object: the engine takes a name that is there twice as two blocks. */

export type JsonNode =
  | { type: "text"; text: string }
  | { type: "array"; items: JsonNode[] }
  | { type: "object"; members: { name: string; value: JsonNode }[] }
  | { type: "other" };

/** The text is no JSON, or nested deeper than is read. */
export class JsonUnreadable extends Error {
  override readonly name = "JsonUnreadable";
}

const MAX_DEPTH = 256;
const BLANK = /[ \t\r\n]*/y;
const TEXT = /"(?:[^"\\]|\\[^])*"/y;
const OTHER = /true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Parses a file. Throws JsonUnreadable. */
export function parseJsonNodes(text: string): JsonNode {
  const parser = new Parser(text.startsWith("\ufeff") ? text.slice(1) : text);
  return parser.file();
}

/** The members of an object, or of all objects of a list, at any depth of lists. */
export function membersOf(node: JsonNode): { name: string; value: JsonNode }[] {
  switch (node.type) {
    case "object":
      return node.members;
    case "array":
      return node.items.flatMap(membersOf);
    case "text":
    case "other":
      return [];
  }
}

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  file(): JsonNode {
    const node = this.#value(0);
    this.#take(BLANK);
    if (this.#at < this.#text.length) throw new JsonUnreadable("it is no JSON");
    return node;
  }

  #value(depth: number): JsonNode {
    if (depth > MAX_DEPTH) throw new JsonUnreadable("it is nested too deep");
    this.#take(BLANK);
    const char = this.#text[this.#at];
    if (char === '"') return { type: "text", text: this.#string() };
    if (char === "[") {
      return { type: "array", items: this.#list("]", () => this.#value(depth + 1)) };
    }
    if (char === "{") {
      const members = this.#list("}", () => {
        this.#take(BLANK);
        const name = this.#string();
        this.#sign(":");
        return { name, value: this.#value(depth + 1) };
      });
      return { type: "object", members };
    }
    if (this.#take(OTHER) === "") throw new JsonUnreadable("it is no JSON");
    return { type: "other" };
  }

  #list<Item>(end: string, item: () => Item): Item[] {
    this.#at += 1;
    const items: Item[] = [];
    this.#take(BLANK);
    if (this.#text[this.#at] === end) {
      this.#at += 1;
      return items;
    }
    for (;;) {
      items.push(item());
      this.#take(BLANK);
      const char = this.#text[this.#at];
      this.#at += 1;
      if (char === end) return items;
      if (char !== ",") throw new JsonUnreadable("it is no JSON");
    }
  }

  #sign(char: string): void {
    this.#take(BLANK);
    if (this.#text[this.#at] !== char) throw new JsonUnreadable("it is no JSON");
    this.#at += 1;
  }

  #string(): string {
    const written = this.#take(TEXT);
    try {
      const value: unknown = JSON.parse(written);
      if (typeof value === "string") return value;
    } catch {
      // Control characters and unknown escapes.
    }
    throw new JsonUnreadable("it is no JSON");
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return "";
    this.#at += match[0].length;
    return match[0];
  }
}
