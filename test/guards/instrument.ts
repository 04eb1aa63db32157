/** Marks each check of a permission in the source of the product, so that one at a time can be opened. */

/** Calls with a caller as their first argument, which decide by it. */
const CHECKS = "can|authorize|requireSomewhere|scopeOf|permitPage|permitOrNull|permitLists|permitEach";
const CALL = new RegExp(`(?<![\\w.])(${CHECKS})\\((\\s*)caller\\b`, "g");
const METHOD = /\.(permit|permitOwn)\((\s*)caller\b/g;
const OWN = /(?<![\w.])(requireOwn|requireGrantsOf)\((\w+), (\w+), caller\b/g;
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

/** Returns the source with its checks marked, and their names; `file`: its path below `src`. */
export function instrument(source: string, file: string): { source: string; names: string[] } {
  if (file === "model/people/permission.ts") return { source: decisions(source), names: [] };
  if (file === "domain/access/command.ts") return { source: commands(source), names: [] };
  if (file === "domain/access/attenuation.ts") {
    const to = `if (${GUARDS}.decide(caller, covers(own, permissions), true)) return;`;
    return { source: replaced(source, "if (covers(own, permissions)) return;", to), names: [] };
  }
  if (file.startsWith("domain/access/") || !/^(?:domain|model|graphql|http)\//.test(file)) return { source, names: [] };
  const nameOf = createNames(file);
  const names: string[] = [];
  const mark = (kind: string): string => {
    const name = nameOf(kind);
    names.push(name);
    return `${GUARDS}.mark(${JSON.stringify(name)}, caller)`;
  };
  const marked = source
    .replaceAll(CALL, (_whole, kind: string, space: string) => `${kind}(${space}${mark(kind)}`)
    .replaceAll(METHOD, (_whole, kind: string, space: string) => `.${kind}(${space}${mark(kind)}`)
    .replaceAll(OWN, (_whole, kind: string, tx: string, deps: string) => `${kind}(${tx}, ${deps}, ${mark(kind)}`)
    .replaceAll(QUERY, (_whole, kind: string) => {
      const name = nameOf(kind);
      names.push(name);
      return `${GUARDS}.query(${JSON.stringify(name)}, ${kind})(`;
    });
  return { source: marked, names };
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
  const somewhere = replaced(
    source,
    "requireSomewhere(caller, { permission: spec.sight",
    `requireSomewhere(${named("somewhere")}, { permission: spec.sight`,
  );
  const sight = replaced(somewhere, "can(caller, spec.sight, place)", `can(${named("sight")}, spec.sight, place)`);
  return replaced(
    sight,
    "authorize(caller, demand, place)",
    `authorize(${named("${demand.permission}")}, demand, place)`,
  );
}
