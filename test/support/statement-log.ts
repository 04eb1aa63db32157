/** What the product sends to Postgres, as it is sent. */
import { Client } from "pg";

/** Every connection makes it, once: no operation sends it. */
const OF_CONNECTING = /^set client_connection_check_interval /;

export interface StatementLog {
  /** For the connection of `openDatabase`: its clients note what they send. */
  readonly Client: typeof Client;
  /** The texts since it was last asked, in the order in which they were sent. */
  take(): string[];
}

export function createStatementLog(): StatementLog {
  let texts: string[] = [];
  /** What is prepared is sent by its name from the second time on. */
  const prepared = new Map<string, string>();
  const note = (statement: string | { readonly name?: string; readonly text?: string }): void => {
    const { name = "", text = prepared.get(name) ?? name } =
      typeof statement === "string" ? { text: statement } : statement;
    if (name !== "") prepared.set(name, text);
    if (!OF_CONNECTING.test(text)) texts.push(text);
  };
  class NotingClient extends Client {
    // oxlint-disable-next-line typescript/no-explicit-any -- it has many overloads, and all of them begin with this
    override query(statement: any, ...rest: any[]): any {
      const { statements = [statement], begins = false } = typeof statement === "string" ? {} : statement;
      if (begins) texts.push("begin");
      for (const one of statements) note(one);
      return super.query.apply(this, [statement, ...rest] as never);
    }
  }
  return {
    Client: NotingClient,
    take() {
      const taken = texts;
      texts = [];
      return taken;
    },
  };
}

const VERB = /^(insert into|update|delete from|select)\b/i;
const TABLE = /\b(?:insert into|update|delete from|from|join) "?(?!lateral\b)([a-z_]+)"?(?![a-z_."(])/i;

/**
 * What a statement does in a few words: `select run`, `commit`. With several in one message, each. What it reads beside
 * its first table is not said.
 */
export function kindsOf(text: string): string[] {
  return text.split("; ").map((one) => {
    const flat = one
      .replaceAll(/^\s*--.*$/gm, "")
      .replaceAll(/\s+/g, " ")
      .replace(/^[( ]+/, "")
      .trim();
    if (flat.startsWith("with ")) return writesOf(flat);
    const verb = VERB.exec(flat)?.[1] ?? flat.split(" ")[0] ?? "";
    const called = /^select ([a-z_]+)\(/.exec(flat)?.[1] ?? /^select (\S+)$/.exec(flat)?.[1];
    // The version of rights and the project of a workspace come with other statements.
    const about = flat.replaceAll(/\(select "?\w+"? from (?:access_epoch|workspace)\b[^()]*\)/g, "");
    const subject = TABLE.exec(about)?.[1] ?? called;
    return subject === undefined ? verb : `${verb.split(" ")[0]} ${subject}`;
  });
}

/** Of a statement that has several parts those that write. */
function writesOf(text: string): string {
  const writes = [...text.matchAll(/(?<!\bfor (?:no key )?)\b(insert|update|delete)(?: into| from)? "?([a-z_]+)/gi)];
  return writes.length === 0 ? "with" : writes.map(([, verb, table]) => `${verb} ${table}`).join(" + ");
}

const WIDTH = 118;
/** What begins a line, where it stands in no parentheses. */
const CLAUSE =
  /^(?:from|where|and|group by|having|order by|limit|offset|for (?:no key )?update|for (?:key )?share|(?:left |inner |cross )?join|union(?: all)?|values|set|on conflict|returning|using|select|commit)\b/;
const ID = /\b([a-z]+)_[0-9a-hjkmnp-tv-z]{26}\b/g;

/** A statement as people read it and as differences show: a clause a line; what ids there are in its text is left out. */
export function formatStatement(text: string): string {
  const flat = text
    .replaceAll(/^\s*--.*$/gm, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(ID, "$1_…")
    .trim();
  return clausesOf(flat)
    .flatMap((clause, index) => wrapped(clause, index === 0 ? "" : "  "))
    .join("\n");
}

function clausesOf(flat: string): string[] {
  const starts = [0];
  let depth = 0;
  let quote: string | null = null;
  for (let at = 0; at < flat.length; at++) {
    const sign = flat.charAt(at);
    if (quote !== null) quote = sign === quote ? null : quote;
    else if (sign === "'" || sign === '"') quote = sign;
    else if (sign === "(") depth++;
    else if (sign === ")") depth--;
    else if (at > 0 && depth === 0 && flat.charAt(at - 1) === " ") {
      const [clause = ""] = CLAUSE.exec(flat.slice(at)) ?? [];
      if (clause === "") continue;
      if (!flat.slice(0, at).endsWith("delete ")) starts.push(at);
      at += clause.length - 1;
    }
  }
  return starts.map((start, index) => flat.slice(start, starts[index + 1]).trim());
}

function wrapped(clause: string, indent: string): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of clause.split(" ")) {
    if (line.trim() !== "" && line.length + word.length > WIDTH) {
      lines.push(line.trimEnd());
      line = `${indent}    `;
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()];
}
