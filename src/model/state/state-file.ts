/** Parses states in the engine's format (version 4). Input is untrusted: runners and people may send anything. */
import { isJson } from "../kit/exact-json.ts";
import { isRecord } from "../kit/is-record.ts";
import type { Json } from "../plan/json.ts";
import { sensitiveNames } from "./sensitive-attributes.ts";

/** One instance of a managed resource. */
export interface StateResource {
  /** The engine's own notation: `module.a.aws_instance.web["b"]`. */
  address: string;
  type: string;
  name: string;
  module: string | null;
  /** For example `registry.terraform.io/hashicorp/aws`. */
  provider: string;
  /** The resources that it depends on, as the engine stored them: addresses without keys, at most `DEPENDENCIES_SHOWN`. */
  dependsOn: string[];
}

/** A resource that depends on more is cut: a state is untrusted, and each of its resources is listed. */
export const DEPENDENCIES_SHOWN = 100;

export interface StateInstance extends StateResource {
  attributes: Record<string, Json>;
  /** The names of attributes with sensitive parts. */
  sensitive: ReadonlySet<string>;
  /** The paths to sensitive parts, as stored in the state. */
  sensitivePaths: unknown;
  tainted: boolean;
}

export interface StateOutput {
  value: Json;
  sensitive: boolean;
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Yields the managed instances in the order of the file, without data sources. */
export function* stateInstances(document: unknown): Generator<StateInstance> {
  for (const resource of stateResources(document)) {
    if (resource["mode"] === "data") continue;
    const { type, name, module, base } = namesOf(resource);
    const provider = /provider\["([^"]+)"\]/.exec(asText(resource["provider"]))?.[1] ?? asText(resource["provider"]);
    for (const instance of asArray(resource["instances"])) {
      if (!isRecord(instance)) continue;
      const attributes = attributesOf(instance);
      const sensitivePaths = instance["sensitive_attributes"];
      yield {
        address: `${base}${keyOf(instance["index_key"])}${deposed(instance["deposed"])}`,
        type,
        name,
        module: module === "" ? null : module,
        provider,
        dependsOn: asArray(instance["dependencies"])
          .filter((address) => typeof address === "string")
          .slice(0, DEPENDENCIES_SHOWN),
        attributes,
        sensitive: sensitiveNames(sensitivePaths) ?? new Set(Object.keys(attributes)),
        sensitivePaths,
        tainted: instance["status"] === "tainted",
      };
    }
  }
}

/** Returns the addresses of all resources in a state, with data sources. */
export function stateAddresses(document: unknown): string[] {
  return [...stateResources(document)].flatMap((resource) => {
    const { base } = namesOf(resource);
    const instances = asArray(resource["instances"]).filter(isRecord);
    return instances.map((instance) => base + keyOf(instance["index_key"]));
  });
}

function* stateResources(document: unknown): Generator<Record<string, unknown>> {
  if (!isRecord(document)) return;
  for (const resource of asArray(document["resources"])) if (isRecord(resource)) yield resource;
}

function namesOf(resource: Record<string, unknown>): { type: string; name: string; module: string; base: string } {
  const type = asText(resource["type"]);
  const name = asText(resource["name"]);
  const module = asText(resource["module"]);
  const mode = resource["mode"] === "data" ? "data" : "";
  return { type, name, module, base: [module, mode, type, name].filter((part) => part !== "").join(".") };
}

export function stateOutputs(document: unknown): Map<string, StateOutput> {
  const found = new Map<string, StateOutput>();
  if (!isRecord(document) || !isRecord(document["outputs"])) return found;
  for (const [name, output] of Object.entries(document["outputs"])) {
    if (!isRecord(output)) continue;
    const { value = null, sensitive } = output;
    if (isJson(value)) found.set(name, { value, sensitive: sensitive === true });
  }
  return found;
}

/** Writes a key as the engine does, which also escapes the start of a template. */
function keyOf(key: unknown): string {
  if (typeof key === "number") return `[${key}]`;
  return typeof key === "string" ? `[${JSON.stringify(key).replace(/[$%](?=\{)/g, "$&$&")}]` : "";
}

/** Marks an object that must still be destroyed after its replacement was created. */
function deposed(key: unknown): string {
  return typeof key === "string" && key !== "" ? ` (deposed ${key})` : "";
}

/** Returns attributes; providers older than Terraform 0.12 store them flat. */
function attributesOf(instance: Record<string, unknown>): Record<string, Json> {
  const attributes = instance["attributes"] ?? instance["attributes_flat"];
  return isJson(attributes) && isObject(attributes) ? attributes : {};
}

function isObject(value: Json): value is { [key: string]: Json } {
  return isRecord(value);
}
