/** Marks each check of a permission in the source of the product, so that one at a time can be opened. */
import { hasConditions, markConditions } from "./conditions.ts";

/** Calls with a caller as their first argument, which decide by it. */
const CHECKS = "can|authorize|authorizeUnseen|requireSomewhere|scopeOf|permitPage|permitOrNull|permitLists|permitEach";
const CALL = new RegExp(`(?<![\\w.])(${CHECKS})\\((\\s*)((?:context\\.)?caller)\\b`, "g");
const METHOD = /\.(permit|permitOwn)\((\s*)(caller)\b/g;
const OWN = /(?<![\w.])(requireOwn|requireGrantsOf|requireGrantsOfRunsIn)\((\w+), (\w+), caller\b/g;
const QUERY = /(?<![\w.])(queryOrNull|queryLists|queryPlacedLists)(?:<[^(]*>)?\(/g;

const GUARDS = "globalThis.holdpointGuards";

/** Names the n-th check of a kind in a file: names do not change with the lines above. */
function createNames(file: string): (kind: string) => string {
  const counts = new Map<string, number>();
  return (kind) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return `${file} ${kind} ${count}`;
  };
}

/** A source with its checks marked. */
export interface Instrumented {
  source: string;
  /** The names of the checks. */
  names: string[];
  /** The commands in it, whose checks are in the template of all. */
  commands: string[];
}

const COMMAND = /\bname: "([a-z]+(?:[A-Z][a-z]+)+)"/g;
/** They have no subject, and call the checks themselves. */
const WITHOUT_TEMPLATE: readonly string[] = [
  "approveChangeset",
  "bulkRunAction",
  "continueChangeset",
  "createChangeset",
  "discardChangeset",
  "promoteChangeset",
  "uploadSource",
];

/** Marks the checks in a source; `file`: its path below `src`. */
export function instrument(source: string, file: string): Instrumented {
  const unnamed = { names: [], commands: [] };
  if (file === "model/people/permission.ts") return { source: decisions(source), ...unnamed };
  if (file === "domain/access/command.ts") return { source: commands(source), ...unnamed };
  if (file === "domain/access/attenuation.ts") {
    const to = `if (${GUARDS}.decide(caller, covers(own, permissions), true)) return;`;
    return { source: replaced(source, "if (covers(own, permissions)) return;", to), ...unnamed };
  }
  if (file === "graphql/server/stream-view.ts") {
    const name = `${file} includes 1`;
    const to = `(one) => ${GUARDS}.allows(${JSON.stringify(name)}, includes(setAt(rights, one), permission))`;
    const from = "(one) => includes(setAt(rights, one), permission)";
    return { source: replaced(source, from, to), names: [name], commands: [] };
  }
  if (file.startsWith("domain/access/") || !/^(?:domain|model|graphql|http)\//.test(file))
    return { source, ...unnamed };
  const nameOf = createNames(file);
  const names: string[] = [];
  const mark = (kind: string, caller = "caller"): string => {
    const name = nameOf(kind);
    names.push(name);
    return `${GUARDS}.mark(${JSON.stringify(name)}, ${caller})`;
  };
  const marked = source
    .replaceAll(CALL, (_whole, kind: string, space: string, caller: string) => `${kind}(${space}${mark(kind, caller)}`)
    .replaceAll(METHOD, (_whole, kind: string, space: string) => `.${kind}(${space}${mark(kind)}`)
    .replaceAll(OWN, (_whole, kind: string, tx: string, deps: string) => `${kind}(${tx}, ${deps}, ${mark(kind)}`)
    .replaceAll(QUERY, (_whole, kind: string) => {
      const name = nameOf(kind);
      names.push(name);
      return `${GUARDS}.query(${JSON.stringify(name)}, ${kind})(`;
    });
  const whole = hasConditions(file)
    ? markConditions(marked, GUARDS, (kind) => {
        const name = nameOf(kind);
        names.push(name);
        return name;
      })
    : marked;
  const named = file.startsWith("domain/") ? [...source.matchAll(COMMAND)].flatMap(([, name = ""]) => name) : [];
  return { source: whole, names, commands: named.filter((name) => !WITHOUT_TEMPLATE.includes(name)) };
}

function replaced(source: string, from: string, to: string): string {
  if (!source.includes(from)) throw new Error(`The source has no ${from}`);
  return source.replaceAll(from, to);
}

/** The functions that decide. */
function decisions(source: string): string {
  const can = "export function can({ rights }: WithRights, permission: Permission, place: Place): boolean {";
  const scope = "export function scopeOf({ rights }: WithRights, permission: Permission): CallerScope {";
  const opened = replaced(
    source,
    can,
    `export function can(caller: WithRights, permission: Permission, place: Place): boolean {
      return ${GUARDS}.decide(caller, decided(caller, permission, place), true);
    }
    function decided({ rights }: WithRights, permission: Permission, place: Place): boolean {`,
  );
  return replaced(
    opened,
    scope,
    `export function scopeOf(caller: WithRights, permission: Permission): CallerScope {
      return ${GUARDS}.decide(caller, scoped(caller, permission), EVERYTHING);
    }
    function scoped({ rights }: WithRights, permission: Permission): CallerScope {`,
  );
}

/** Each command has its own checks in the template of all. */
function commands(source: string): string {
  const named = (word: string): string => `${GUARDS}.mark(\`\${spec.name} ${word}\`, caller)`;
  const changes: [from: string, to: string][] = [
    [
      "requireSomewhere(caller, { permission: sight, words })",
      `requireSomewhere(${named("somewhere")}, { permission: sight, words })`,
    ],
    ["can(caller, sight, place)", `can(${named("sight")}, sight, place)`],
    ["authorize(caller, demand, place)", `authorize(${named("${demand.permission}")}, demand, place)`],
    [
      'if (scopeOf(caller, demand.permission).type === "nothing") throw',
      `const somewhere = scopeOf(${GUARDS}.unmarked(caller), demand.permission).type !== "nothing";
       if (!${GUARDS}.decide(caller, somewhere, true)) throw`,
    ],
  ];
  return changes.reduce((changed, [from, to]) => replaced(changed, from, to), source);
}
