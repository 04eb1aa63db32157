import type { Variable } from "./workspace.ts";

/**
 * Returns the texts to hide: values of sensitive variables and, for expressions, also quoted texts and numbers in them.
 */
export function secretTexts(variables: readonly Pick<Variable, "value" | "sensitive" | "hcl">[]): string[] {
  return variables
    .filter(({ sensitive }) => sensitive)
    .flatMap(({ value, hcl }) => [value, ...(hcl ? [...quotedTexts(value), ...numbers(value)] : [])]);
}

/** Returns the numbers of an expression, which the engine prints one by one. */
function numbers(expression: string): string[] {
  return [...expression.matchAll(/(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])/g)].map(([number]) => number);
}

function quotedTexts(expression: string): string[] {
  // Without a closing quote it extends to the end: searching for one from each quote would take minutes.
  return [...expression.matchAll(/"((?:[^"\\]|\\[^])*)("?)/g)].flatMap(([quoted, inner = "", end]) =>
    end === "" ? [] : [inner, unquoted(quoted)],
  );
}

function unquoted(quoted: string): string {
  try {
    // The engine escapes the start of a template, which JSON does not.
    return String(JSON.parse(quoted)).replace(/([$%])\1\{/g, "$1{");
  } catch {
    return "";
  }
}
