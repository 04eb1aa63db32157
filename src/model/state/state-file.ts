/** A state as the engine writes it (version 4), read with care: runners and people send what they like. */
import { isJson } from "../kit/exact-json.ts";
import { isRecord } from "../kit/is-record.ts";
import type { Json } from "../plan/plan.ts";
import { sensitiveNames } from "./sensitive-attributes.ts";

/** One instance of a managed resource. */
export interface StateResource {
  /** As the engine names it: `module.a.aws_instance.web["b"]`. */
  address: string;
  type: string;
  name: string;
  module: string | null;
  /** For example `registry.terraform.io/hashicorp/aws`. */
  provider: string;
}

export interface StateInstance extends StateResource {
  attributes: Record<string, Json>;
  /** Names of the attributes that hold something sensitive. */
  sensitive: ReadonlySet<string>;
  /** Paths to what is sensitive in them, as the state has them. */
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

/** Data sources are left out. In the order of the file. */
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
        attributes,
        sensitive: sensitiveNames(sensitivePaths) ?? new Set(Object.keys(attributes)),
        sensitivePaths,
        tainted: instance["status"] === "tainted",
      };
    }
  }
}

/** Addresses of all resources in a state, data sources included. */
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

/** As the engine writes it: what would begin a template is escaped too. */
function keyOf(key: unknown): string {
  if (typeof key === "number") return `[${key}]`;
  return typeof key === "string" ? `[${JSON.stringify(key).replace(/[$%](?=\{)/g, "$&$&")}]` : "";
}

/** The objects that are still to be destroyed after their replacement was made. */
function deposed(key: unknown): string {
  return typeof key === "string" && key !== "" ? ` (deposed ${key})` : "";
}

/** Providers that are older than Terraform 0.12 leave theirs flat. */
function attributesOf(instance: Record<string, unknown>): Record<string, Json> {
  const attributes = instance["attributes"] ?? instance["attributes_flat"];
  return isJson(attributes) && isObject(attributes) ? attributes : {};
}

function isObject(value: Json): value is { [key: string]: Json } {
  return isRecord(value);
}
