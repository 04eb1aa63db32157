/** Compares two versions of a state. Pure, so that a worker thread can do it. */
import { eachText } from "../kit/each-text.ts";
import type { Json } from "../plan/json.ts";
import { eachSensitiveText } from "./sensitive-attributes.ts";
import {
  type StateInstance,
  type StateOutput,
  type StateResource,
  stateInstances,
  stateOutputs,
} from "./state-file.ts";

export const STATE_CHANGE_ACTIONS = ["ADDED", "CHANGED", "REMOVED"] as const;
export type StateChangeAction = (typeof STATE_CHANGE_ACTIONS)[number];

/** A value of both versions. `null` also if it does not exist, or is not shown. */
export interface StateValueChange {
  name: string;
  before: Json;
  after: Json;
  /** The value is secret and not shown. */
  sensitive: boolean;
  /** The value is too long, or the caller may not see values, and it is not shown. */
  omitted: boolean;
}

export interface StateResourceChange extends StateResource {
  action: StateChangeAction;
  /** For CHANGED: the differing attributes, by name. */
  attributes: StateValueChange[];
}

export interface StateOutputChange extends StateValueChange {
  action: StateChangeAction;
}

export interface StateDifference {
  addedCount: number;
  changedCount: number;
  removedCount: number;
  /** Removed ones first, then changed, then added ones, each by address; at most the requested number. */
  resources: StateResourceChange[];
  outputs: StateOutputChange[];
}

export interface ComparisonOptions {
  /** Whether the caller may see values at all. */
  showValues: boolean;
  /** Texts to hide, besides those that the states mark as sensitive. */
  secrets: readonly string[];
  maxResources: number;
  /** The largest number of changed attributes of a resource, and of changed outputs. */
  maxValues: number;
  /** The largest length of a value as JSON. */
  maxValueLength: number;
}

/** Shorter texts occur by chance. */
const HIDDEN_LENGTH = 6;
const MAX_COLLECTED = 5000;

export function compareStates(before: unknown, after: unknown, options: ComparisonOptions): StateDifference {
  const old = new Map(byAddress(before));
  const now = new Map(byAddress(after));
  const oldOutputs = stateOutputs(before);
  const nowOutputs = stateOutputs(after);
  const hide = hider(options, [old, now], [oldOutputs, nowOutputs]);
  const removed = [...old.values()].filter(({ address }) => !now.has(address));
  const added = [...now.values()].filter(({ address }) => !old.has(address));
  const changed: [StateInstance, StateInstance][] = [];
  for (const instance of now.values()) {
    const earlier = old.get(instance.address);
    if (earlier !== undefined && differs(earlier, instance)) changed.push([earlier, instance]);
  }
  const resources = [
    ...inOrder(removed).map((one) => toChange(one, "REMOVED", [])),
    ...changed
      .toSorted(([, a], [, b]) => compareText(a.address, b.address))
      .slice(0, options.maxResources)
      .map(([from, to]) => toChange(to, "CHANGED", changedValues(from, to, hide, options))),
    ...inOrder(added).map((one) => toChange(one, "ADDED", [])),
  ];
  return {
    addedCount: added.length,
    changedCount: changed.length,
    removedCount: removed.length,
    resources: resources.slice(0, options.maxResources),
    outputs: changedOutputs(oldOutputs, nowOutputs, hide).slice(0, options.maxValues),
  };
}

function* byAddress(document: unknown): Generator<[string, StateInstance]> {
  for (const instance of stateInstances(document)) yield [instance.address, instance];
}

/** Orders addresses or names, none of which is there twice. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : 1;
}

function inOrder(instances: StateInstance[]): StateInstance[] {
  return instances.toSorted((a, b) => compareText(a.address, b.address));
}

function differs(a: StateInstance, b: StateInstance): boolean {
  return a.tainted !== b.tainted || a.provider !== b.provider || !isEqual(a.attributes, b.attributes);
}

function toChange(
  { address, type, name, module, provider, dependsOn }: StateInstance,
  action: StateChangeAction,
  attributes: StateValueChange[],
): StateResourceChange {
  return { address, type, name, module, provider, dependsOn, action, attributes };
}

type Hide = (name: string, before: Json, after: Json, sensitive: boolean) => StateValueChange;

function changedValues(
  from: StateInstance,
  to: StateInstance,
  hide: Hide,
  { maxValues }: ComparisonOptions,
): StateValueChange[] {
  const names = [...new Set([...Object.keys(from.attributes), ...Object.keys(to.attributes)])].toSorted(compareText);
  const values: StateValueChange[] = [];
  // A change that is no attribute has a name that no attribute can have.
  if (from.tainted !== to.tainted) values.push(hide("(tainted)", from.tainted, to.tainted, false));
  if (from.provider !== to.provider) values.push(hide("(provider)", from.provider, to.provider, false));
  for (const name of names) {
    const [before, after] = [own(from.attributes, name), own(to.attributes, name)];
    if (isEqual(before, after)) continue;
    values.push(hide(name, before, after, from.sensitive.has(name) || to.sensitive.has(name)));
    if (values.length === maxValues) break;
  }
  return values;
}

function own(attributes: Record<string, Json>, name: string): Json {
  return Object.hasOwn(attributes, name) ? (attributes[name] ?? null) : null;
}

function changedOutputs(
  before: Map<string, StateOutput>,
  after: Map<string, StateOutput>,
  hide: Hide,
): StateOutputChange[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted(compareText);
  return names.flatMap((name): StateOutputChange[] => {
    const [old, now] = [before.get(name), after.get(name)];
    const same = old !== undefined && now !== undefined && old.sensitive === now.sensitive;
    if (same && isEqual(old.value, now.value)) return [];
    const action = old === undefined ? "ADDED" : now === undefined ? "REMOVED" : "CHANGED";
    const sensitive = old?.sensitive === true || now?.sensitive === true;
    return [{ ...hide(name, old?.value ?? null, now?.value ?? null, sensitive), action }];
  });
}

/** Returns a function that hides secrets: the given texts, and those that the states mark as sensitive. */
function hider(
  { secrets, showValues, maxValueLength }: ComparisonOptions,
  states: readonly Map<string, StateInstance>[],
  outputs: readonly Map<string, StateOutput>[],
): Hide {
  const found = new Set<string>();
  const take = (text: string): void => {
    for (const line of text.split(/\r\n|\n|\r/)) {
      const part = line.trim();
      if (part.length >= HIDDEN_LENGTH) found.add(JSON.stringify(part).slice(1, -1));
    }
  };
  for (const secret of secrets) take(secret);
  const known = found.size;
  const collect = (text: string): void => {
    if (found.size < known + MAX_COLLECTED) take(text);
  };
  for (const { value, sensitive } of outputs.flatMap((all) => [...all.values()]))
    if (sensitive) eachText(value, collect);
  for (const state of states) {
    for (const { attributes, sensitivePaths } of state.values()) eachSensitiveText(attributes, sensitivePaths, collect);
  }
  const holdsSecret = finder([...found]);
  return (name, before, after, sensitive) => {
    const shown = JSON.stringify([before, after]);
    const isTooLong = [before, after].some((value) => JSON.stringify(value).length > maxValueLength);
    const omitted = !showValues || isTooLong;
    const isSecret = sensitive || (!omitted && holdsSecret(shown));
    if (isSecret || omitted) return { name, before: null, after: null, sensitive: isSecret, omitted: !isSecret };
    return { name, before, after, sensitive: false, omitted: false };
  };
}

/**
 * Returns a function that finds whether a text contains one of many texts, in one pass. None may be shorter than
 * HIDDEN_LENGTH.
 */
function finder(texts: readonly string[]): (within: string) => boolean {
  const byStart = Map.groupBy(texts, (text) => text.slice(0, HIDDEN_LENGTH));
  return (within) => {
    for (let at = 0; at + HIDDEN_LENGTH <= within.length; at++) {
      const candidates = byStart.get(within.slice(at, at + HIDDEN_LENGTH));
      if (candidates?.some((text) => within.startsWith(text, at)) === true) return true;
    }
    return false;
  };
}

function isEqual(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => isEqual(item, b[index] ?? null));
  }
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key] ?? null, b[key] ?? null));
}
