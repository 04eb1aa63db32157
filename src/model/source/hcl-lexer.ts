/** Splits HCL into tokens: one pass, nothing is evaluated. Templates are tokens with the tokens of their expressions. */

export type TemplatePart =
  | { type: "text"; text: string }
  /** An interpolation or a directive, with the tokens of its expression. */
  | { type: "expression"; tokens: readonly Token[] };

export type Token =
  | { type: "name"; text: string; start: number }
  /** A quoted template. `end`: the offset behind it. */
  | { type: "string"; parts: readonly TemplatePart[]; start: number; end: number }
  | { type: "heredoc"; parts: readonly TemplatePart[]; start: number; end: number }
  | { type: "newline"; start: number }
  /** A bracket, or one character of an operator or a number. */
  | { type: "sign"; text: string; start: number };

/** The text is no HCL, or nested deeper than is read. */
export class HclUnreadable extends Error {
  override readonly name = "HclUnreadable";
}

/** Templates within templates; deeper ones would exhaust the stack. */
const MAX_DEPTH = 64;

/** Returns the tokens of a file. Throws HclUnreadable. */
export function tokenizeHcl(text: string): Token[] {
  const lexer = new Lexer(text);
  return lexer.tokens("file");
}

/** Returns the parts of a template without quotes, such as a string of the JSON syntax. Throws HclUnreadable. */
export function tokenizeTemplate(text: string): TemplatePart[] {
  return new Lexer(text).template("text");
}

type TemplateEnd = "text" | "quote" | { marker: string };

const SPACE = /[ \t\r]+/y;
const NAME = /[\p{ID_Start}_][\p{ID_Continue}-]*/uy;
const HEREDOC = /<<-?([\p{ID_Start}_][\p{ID_Continue}-]*)\r?\n/uy;
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([nrt"\\]))/y;
/** Text of a quoted template without anything special in it. */
const PLAIN_QUOTED = /[^"\\$%\n]+/y;
const PLAIN_TEXT = /[^$%\n]+/y;
const ESCAPED: Record<string, string> = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\" };
const LAST_CODE_POINT = 0x10_ffff;

class Lexer {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    if (text.startsWith("\ufeff")) this.#at = 1;
  }

  /** Reads to the end of the file, or behind the bracket that ends an interpolation. */
  tokens(until: "file" | "interpolation"): Token[] {
    const found: Token[] = [];
    let open = 0;
    while (this.#at < this.#text.length) {
      const start = this.#at;
      if (this.#skip(SPACE) || this.#skipComment()) continue;
      const char = this.#text[start] ?? "";
      if (char === "\n") {
        this.#at += 1;
        found.push({ type: "newline", start });
        continue;
      }
      if (char === '"') {
        this.#at += 1;
        found.push({ type: "string", parts: this.template("quote"), start, end: this.#at });
        continue;
      }
      const heredoc = this.#match(HEREDOC);
      if (heredoc !== null) {
        const parts = this.template({ marker: heredoc[1] ?? "" });
        found.push({ type: "heredoc", parts, start, end: this.#at }, { type: "newline", start: this.#at });
        continue;
      }
      const name = this.#match(NAME);
      if (name !== null) {
        found.push({ type: "name", text: name[0], start });
        continue;
      }
      this.#at += 1;
      if (char === "{") open += 1;
      if (char === "}") {
        if (open === 0 && until === "interpolation") return found;
        open -= 1;
      }
      found.push({ type: "sign", text: char, start });
    }
    if (until === "interpolation") throw new HclUnreadable("a template does not end");
    return found;
  }

  template(end: TemplateEnd): TemplatePart[] {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new HclUnreadable("templates are nested too deep");
    const parts = this.#parts(end);
    this.#depth -= 1;
    return parts;
  }

  #parts(end: TemplateEnd): TemplatePart[] {
    const parts: TemplatePart[] = [];
    const texts: string[] = [];
    const flush = (): void => {
      if (texts.length > 0) parts.push({ type: "text", text: texts.join("") });
      texts.length = 0;
    };
    let isLineStart = true;
    for (;;) {
      if (typeof end === "object" && isLineStart && this.#endsHeredoc(end.marker)) break;
      isLineStart = false;
      const char = this.#text[this.#at];
      if (char === undefined) {
        if (end === "text") break;
        throw new HclUnreadable("a text does not end");
      }
      if (char === '"' && end === "quote") {
        this.#at += 1;
        break;
      }
      if (char === "$" || char === "%") {
        if (this.#startsTemplate(texts, char)) {
          flush();
          parts.push({ type: "expression", tokens: this.tokens("interpolation") });
        }
        continue;
      }
      if (char === "\n") {
        if (end === "quote") throw new HclUnreadable("a quoted text has more than one line");
        this.#at += 1;
        texts.push(char);
        isLineStart = true;
        continue;
      }
      texts.push(char === "\\" && end === "quote" ? this.#escape() : this.#plain(end));
    }
    flush();
    return parts;
  }

  /** Reads a `$` or `%`: whether a template begins, else adds the text that it means. */
  #startsTemplate(texts: string[], char: string): boolean {
    const text = this.#text;
    if (text[this.#at + 1] === "{") {
      this.#at += 2;
      return true;
    }
    const isEscaped = text[this.#at + 1] === char && text[this.#at + 2] === "{";
    texts.push(isEscaped ? `${char}{` : char);
    this.#at += isEscaped ? 3 : 1;
    return false;
  }

  #escape(): string {
    const escape = this.#match(ESCAPE);
    if (escape === null) throw new HclUnreadable("an escape is unknown");
    const [, short, long, simple = ""] = escape;
    const digits = short ?? long;
    if (digits === undefined) return ESCAPED[simple] ?? "";
    const code = Number.parseInt(digits, 16);
    if (code > LAST_CODE_POINT) throw new HclUnreadable("an escape is no character");
    return String.fromCodePoint(code);
  }

  #plain(end: TemplateEnd): string {
    const plain = this.#match(end === "quote" ? PLAIN_QUOTED : PLAIN_TEXT);
    if (plain === null) throw new HclUnreadable("a text cannot be read");
    return plain[0];
  }

  /** Whether the line at this point is the marker; then reads it, but not its line break. */
  #endsHeredoc(marker: string): boolean {
    const text = this.#text;
    let start = this.#at;
    while (text[start] === " " || text[start] === "\t") start += 1;
    if (!text.startsWith(marker, start)) return false;
    let stop = start + marker.length;
    while (text[stop] === " " || text[stop] === "\t" || text[stop] === "\r") stop += 1;
    if (stop < text.length && text[stop] !== "\n") return false;
    // The line break is a token of its own, which the caller adds.
    this.#at = Math.min(stop + 1, text.length);
    return true;
  }

  #skipComment(): boolean {
    const text = this.#text;
    const char = text[this.#at];
    if (char === "#" || (char === "/" && text[this.#at + 1] === "/")) {
      const end = text.indexOf("\n", this.#at);
      this.#at = end < 0 ? text.length : end;
      return true;
    }
    if (char !== "/" || text[this.#at + 1] !== "*") return false;
    const end = text.indexOf("*/", this.#at + 2);
    if (end < 0) throw new HclUnreadable("a comment does not end");
    this.#at = end + 2;
    return true;
  }

  #skip(pattern: RegExp): boolean {
    return this.#match(pattern) !== null;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match !== null) this.#at += match[0].length;
    return match;
  }
}
