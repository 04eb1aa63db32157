import type { Variable } from "./workspace.ts";

/** Texts that must not be shown: values of sensitive variables, and of an expression also what is quoted in it, and its numbers. */
export function secretTexts(variables: readonly Pick<Variable, "value" | "sensitive" | "hcl">[]): string[] {
  return variables
    .filter(({ sensitive }) => sensitive)
    .flatMap(({ value, hcl }) => [value, ...(hcl ? [...quotedTexts(value), ...numbers(value)] : [])]);
}

/** The engine shows an object's numbers one by one, in lines of its own making. */
function numbers(expression: string): string[] {
  return [...expression.matchAll(/(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])/g)].map(([number]) => number);
}

function quotedTexts(expression: string): string[] {
  // Without an end it reaches to the end of the text: to search for one from each quote again would take minutes.
  return [...expression.matchAll(/"((?:[^"\\]|\\[^])*)("?)/g)].flatMap(([quoted, inner = "", end]) =>
    end === "" ? [] : [inner, unquoted(quoted)],
  );
}

function unquoted(quoted: string): string {
  try {
    // The engine's own escapes beside JSON's: without them a template would begin.
    return String(JSON.parse(quoted)).replace(/([$%])\1\{/g, "$1{");
  } catch {
    return "";
  }
}
