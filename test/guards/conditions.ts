/**
 * Marks conditions that refuse something: code that lets people and programs in decides by these, and asks for no
 * permission. Each `if` that leaves its function is one, each operand of its `||` by itself, and so is each operand of `&&`
 * that decides between a value and `null`.
 */
const FOLDERS = /^(?:domain|http)\/programs\//;
/** Commands ask for permissions, and their other conditions are about their input. */
const COMMANDS = /-(?:commands|queries)\.ts$/;

export const hasConditions = (file: string): boolean => FOLDERS.test(file) && !COMMANDS.test(file);

/** Where the bracket that opens before `from` is closed. */
function closingAt(source: string, from: number): number {
  let depth = 1;
  for (let at = from; at < source.length; at += 1) {
    if ("([{".includes(source.charAt(at))) depth += 1;
    if (")]}".includes(source.charAt(at))) depth -= 1;
    if (depth === 0) return at;
  }
  throw new Error("A bracket is not closed.");
}

/** Splits a condition at an operator that is in no brackets. */
function operandsOf(condition: string, operator: "||" | "&&"): string[] {
  const operands: string[] = [];
  let begin = 0;
  for (let at = 0; at < condition.length; at += 1) {
    if ("([{".includes(condition.charAt(at))) at = closingAt(condition, at + 1);
    if (!condition.startsWith(operator, at)) continue;
    operands.push(condition.slice(begin, at).trim());
    begin = at + operator.length;
  }
  return [...operands, condition.slice(begin).trim()];
}

const LEAVES = /^\s*(?:return|throw|continue)\b/;
const ENDS = /\n\s*(?:return|throw|continue)\b[^\n]*(?:\n[^\n]*)?;\s*$/;

/** Whether what follows a condition leaves the function, or the round of its loop. */
function leaves(consequent: string): boolean {
  const begin = /^\s*\{/.exec(consequent)?.[0].length ?? null;
  if (begin === null) return LEAVES.test(consequent);
  return ENDS.test(consequent.slice(begin, closingAt(consequent, begin)));
}

const VALUE_OR_NULL = /\breturn ([^;?]+?) \? ([^;:?]+) : null;/g;
const COVERS = /(?<![\w.])coversToken\((\w+), claims\)/g;
const PRESENCE = /\bawait (requirePresen\w+)\((\w+), (\w+)\);/g;

type Mark = (kind: string) => string;

/** Marks the conditions of a source. `nameOf`: gives the name of the next one of a kind. */
export function markConditions(source: string, guards: string, nameOf: Mark): string {
  const named = (kind: string): string => JSON.stringify(nameOf(kind));
  let marked = "";
  let done = 0;
  for (const { index, 0: head } of source.matchAll(/\bif \(/g)) {
    const begin = index + head.length;
    const end = closingAt(source, begin);
    if (index < done || !leaves(source.slice(end + 1))) continue;
    const refusals = operandsOf(source.slice(begin, end), "||").map(
      (operand) => `${guards}.refuses(${named("if")}, ${operand})`,
    );
    marked += source.slice(done, begin) + refusals.join(" || ");
    done = end;
  }
  return (marked + source.slice(done))
    .replaceAll(VALUE_OR_NULL, (_whole, condition: string, value: string) => {
      const allowed = operandsOf(condition, "&&").map((operand) => `${guards}.allows(${named("allow")}, ${operand})`);
      return `return ${allowed.join(" && ")} ? ${value} : null;`;
    })
    .replaceAll(COVERS, (whole) => `${guards}.allows(${named("covers")}, ${whole})`)
    .replaceAll(
      PRESENCE,
      (_whole, name: string, deps: string, caller: string) =>
        `await ${guards}.requires(${named("presence")}, () => ${name}(${deps}, ${caller}));`,
    );
}
