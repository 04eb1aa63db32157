/** Finds by the configuration of a plan which resources a changed resource depends on. */
import { isRecord } from "../../model/kit/is-record.ts";
import { CHANGE_DEPENDENCIES } from "../../model/plan/plan.ts";
import { entriesOf, itemsOf, type PlanTree } from "./plan-tree.ts";
import { withoutKeys } from "./resource-marks.ts";

/** Bounds the lists of a plan together: the message that carries them ends at 64 MiB. */
const ALL_LENGTH = 8 * 1024 * 1024;

/** A module of the configuration. */
interface Module {
  /** The beginning of the addresses in it; empty for the root module. */
  prefix: string;
  /** The resources in it, by their addresses within it. */
  resources: ReadonlyMap<string, PlanTree>;
  calls: ReadonlySet<string>;
  /** The module that calls it, and the call; `null` for the root module. */
  caller: { module: Module; call: PlanTree } | null;
  /** The targets of its variables that were resolved so far, by name. */
  variables: Map<string, readonly string[]>;
}

/**
 * Gives the addresses on which each of these instances depends directly, by the expressions and `depends_on` of its resource:
 * addresses of the configuration, in order, at most `CHANGE_DEPENDENCIES`. Empty lists if all together are too long.
 *
 * A variable leads to what the call of the module gives for it. An output of a module is the module: what it depends on is not
 * direct. Locals lead nowhere, because the engine does not describe them.
 */
export function dependenciesOf(configuration: unknown, addresses: readonly string[]): string[][] {
  const resources = new Map<string, { module: Module; resource: PlanTree }>();
  if (isRecord(configuration)) collectResources(configuration["root_module"], "", null, resources);
  // Instances of one resource share their list.
  const known = new Map<string, string[]>();
  let length = 0;
  const lists = addresses.map((address) => {
    const key = withoutKeys(address);
    const found = resources.get(key);
    if (found === undefined) return [];
    const list = known.get(key) ?? dependenciesOfResource(found, key);
    known.set(key, list);
    for (const one of list) length += one.length;
    return list;
  });
  return length <= ALL_LENGTH ? lists : lists.map(() => []);
}

function collectResources(
  node: unknown,
  prefix: string,
  caller: Module["caller"],
  into: Map<string, { module: Module; resource: PlanTree }>,
): void {
  if (!isRecord(node)) return;
  const resources = new Map(itemsOf(node["resources"]).map((resource) => [localAddress(resource), resource]));
  const calls = entriesOf(node["module_calls"]);
  const names = new Set(calls.map(([name]) => name));
  const module: Module = { prefix, resources, calls: names, caller, variables: new Map() };
  for (const [address, resource] of resources) into.set(prefix + address, { module, resource });
  for (const [name, call] of calls) {
    if (isRecord(call)) collectResources(call["module"], `${prefix}module.${name}.`, { module, call }, into);
  }
}

function localAddress({ mode, type, name }: PlanTree): string {
  const parts = mode === undefined || mode === "managed" ? [type, name] : [mode, type, name];
  return parts.map(String).join(".");
}

function dependenciesOfResource({ module, resource }: { module: Module; resource: PlanTree }, own: string): string[] {
  const { expressions, count_expression, for_each_expression, provisioners, depends_on } = resource;
  const parts = [expressions, count_expression, for_each_expression, provisioners, { references: depends_on }];
  return targetsIn(module, parts)
    .filter((address) => address !== own)
    .slice(0, CHANGE_DEPENDENCIES)
    .toSorted();
}

/** Resolves the references in a part of a module. One more than are shown, because a resource can refer to itself. */
function targetsIn(module: Module, part: unknown): string[] {
  const found = new Set<string>();
  for (const reference of referencesIn(part)) {
    for (const address of resolve(module, reference)) {
      found.add(address);
      if (found.size > CHANGE_DEPENDENCIES) return [...found];
    }
  }
  return [...found];
}

/** Matches the beginning of a reference that can name a resource. */
const RESOURCE = /^(?:(?:data|ephemeral)\.)?[^.[]+\.[^.[]+/;

function resolve(module: Module, reference: string): readonly string[] {
  const [first, name = ""] = reference.split(/[.[]/, 2);
  if (first === "var") return targetsOfVariable(module, name);
  if (first === "module") return module.calls.has(name) ? [`${module.prefix}module.${name}`] : [];
  const address = RESOURCE.exec(reference)?.[0];
  return address !== undefined && module.resources.has(address) ? [module.prefix + address] : [];
}

function targetsOfVariable({ caller, variables }: Module, name: string): readonly string[] {
  if (caller === null) return [];
  const known = variables.get(name);
  if (known !== undefined) return known;
  const given = caller.call["expressions"];
  const found = targetsIn(caller.module, isRecord(given) && Object.hasOwn(given, name) ? given[name] : null);
  variables.set(name, found);
  return found;
}

/** Lists the references of expressions at any depth, without those that a constant seems to have. */
function* referencesIn(part: unknown): Generator<string> {
  const open = [part];
  while (open.length > 0) {
    const node = open.pop();
    if (Array.isArray(node)) open.push(...node.toReversed());
    else if (isRecord(node)) {
      for (const [key, value] of Object.entries(node)) {
        if (key === "references" && Array.isArray(value)) yield* value.filter((text) => typeof text === "string");
        if (key !== "constant_value") open.push(value);
      }
    }
  }
}
