/**
 * Reports retired words, docblocks and descriptions that do not stand alone, paragraphs of pages over 80 words, and commit subjects over
 * 72 characters since the last release. Fails if there is any. `npm run lint:words -- src/model` checks one folder.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { RETIRED_OPENINGS, RETIRED_WORDS } from "./retired-words.ts";

const PAGES = [
  "src",
  "schema",
  "docs",
  "bench",
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "SECURITY.md",
  "examples",
];
/** Written by tools, or data. */
const SKIPPED = /\/generated\/|\.(?:json|svg|png|css)$|^docs\/benchmarks\//;
const CODE = /\.(?:tsx?|mjs)$/;
const SCHEMA = /\.graphql$/;
const SUBJECT_LENGTH = 72;
const PARAGRAPH_WORDS = 80;

function git(...args: string[]): string {
  return execFileSync("git", args, {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();
}

function checkFile(path: string): string[] {
  const isCode = CODE.test(path);
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line, index) => {
      const found = RETIRED_WORDS.flatMap(([pattern, instead]) => {
        const word = new RegExp(`(?<![\\w-])(?:${pattern})(?![\\w-])`, "i").exec(line)?.[0];
        return word === undefined ? [] : [`"${word}": ${instead}`];
      });
      const opens = isCode && /^\s*\/\*\*\s*\S/.test(line) && RETIRED_OPENINGS.test(line);
      if (opens) found.push("a docblock begins with a subject and a verb");
      return found.map((problem) => `${path}:${index + 1}: ${problem}`);
    });
}

/** Docblocks of several lines, by their first line of text. */
function checkOpenings(path: string): string[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.flatMap((line, index) => {
    const text = lines[index + 1]?.replace(/^\s*\*\s?/, "") ?? "";
    if (!/^\s*\/\*\*\s*$/.test(line) || !RETIRED_OPENINGS.test(text)) return [];
    return [`${path}:${index + 2}: a docblock begins with a subject and a verb`];
  });
}

/** Descriptions of a schema: in one line, or by their first line of text. */
function checkDescriptions(path: string): string[] {
  let isInside = false;
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line, index, lines) => {
      const isQuote = /^\s*"""$/.test(line);
      if (isQuote) isInside = !isInside;
      const text = isQuote && isInside ? lines[index + 1] : /^\s*"""(.+)"""$/.exec(line)?.[1];
      if (!RETIRED_OPENINGS.test(text ?? "")) return [];
      return [`${path}:${index + 1}: a description begins with a subject and a verb`];
    });
}

/** Paragraphs of a page with too many words. Lists, tables, headings, quotes and code may be long. */
function checkParagraphs(path: string): string[] {
  const found: string[] = [];
  let isCode = false;
  let paragraph = { line: 0, words: 0 };
  const end = (): void => {
    const { line, words } = paragraph;
    if (words > PARAGRAPH_WORDS)
      found.push(`${path}:${line}: a paragraph has ${words} words, at most ${PARAGRAPH_WORDS}`);
    paragraph = { line: 0, words: 0 };
  };
  for (const [index, line] of [...readFileSync(path, "utf8").split("\n"), ""].entries()) {
    if (/^\s*```/.test(line)) isCode = !isCode;
    const isProse = !isCode && /^[^\s|#>`-]|^`[^`]/.test(line) && !/^(?:[*+] |\d+\. |<)/.test(line);
    if (!isProse) end();
    else {
      if (paragraph.words === 0) paragraph.line = index + 1;
      paragraph.words += line.trim().split(/\s+/).length;
    }
  }
  return found;
}

/** The release before this commit; without one, the commit that brought this check. */
function lastRelease(): string {
  try {
    return git("describe", "--tags", "--abbrev=0", "--match=v*");
  } catch {
    return git("log", "--diff-filter=A", "--format=%H", "--", "test/lint/check-words.ts").split("\n").at(-1) ?? "HEAD";
  }
}

function checkSubjects(): string[] {
  return git("log", "--format=%h %s", `${lastRelease()}..HEAD`)
    .split("\n")
    .filter((line) => line.slice(line.indexOf(" ") + 1).length > SUBJECT_LENGTH)
    .map((line) => `commit ${line}: its subject has more than ${SUBJECT_LENGTH} characters`);
}

const asked = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const files = git("ls-files", ...(asked.length > 0 ? asked : PAGES))
  .split("\n")
  .filter((path) => path !== "" && !SKIPPED.test(path));
const problems = [
  ...files.flatMap(checkFile),
  ...files.filter((path) => CODE.test(path)).flatMap(checkOpenings),
  ...files.filter((path) => SCHEMA.test(path)).flatMap(checkDescriptions),
  ...files.filter((path) => path.endsWith(".md")).flatMap(checkParagraphs),
];
const shown = asked.length > 0 ? problems : [...problems, ...checkSubjects()];
for (const line of shown) process.stdout.write(`${line}\n`);
process.stdout.write(`${problems.length} ${problems.length === 1 ? "problem" : "problems"} in ${files.length} files\n`);
process.exitCode = shown.length === 0 ? 0 : 1;
