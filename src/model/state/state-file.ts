/** A state as the engine writes it (version 4), read with care: runners and people send what they like. */
import { isJson } from "../kit/exact-json.ts";
import type { Json } from "../plan/plan.ts";

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
  /** Attributes that hold something sensitive. */
  sensitive: ReadonlySet<string>;
  tainted: boolean;
}

export interface StateOutput {
  value: Json;
  sensitive: boolean;
}

type Fields = Record<string, unknown>;

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Data sources are left out. In the order of the file. */
export function* stateInstances(document: unknown): Generator<StateInstance> {
  if (!isRecord(document)) return;
  for (const resource of asArray(document["resources"])) {
    if (!isRecord(resource) || resource["mode"] === "data") continue;
    const type = asText(resource["type"]);
    const name = asText(resource["name"]);
    const module = asText(resource["module"]);
    const base = [module, type, name].filter((part) => part !== "").join(".");
    const provider = /provider\["([^"]+)"\]/.exec(asText(resource["provider"]))?.[1] ?? asText(resource["provider"]);
    for (const instance of asArray(resource["instances"])) {
      if (!isRecord(instance)) continue;
      yield {
        address: `${base}${keyOf(instance["index_key"])}${deposed(instance["deposed"])}`,
        type,
        name,
        module: module === "" ? null : module,
        provider,
        attributes: attributesOf(instance),
        sensitive: sensitiveNames(instance["sensitive_attributes"]),
        tainted: instance["status"] === "tainted",
      };
    }
  }
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

function keyOf(key: unknown): string {
  if (typeof key === "number") return `[${key}]`;
  return typeof key === "string" ? `[${JSON.stringify(key)}]` : "";
}

/** What is to be destroyed still, after its replacement was made. */
function deposed(key: unknown): string {
  return typeof key === "string" && key !== "" ? ` (deposed ${key})` : "";
}

/** Providers that are older than Terraform 0.12 leave theirs flat. */
function attributesOf(instance: Fields): Record<string, Json> {
  const attributes = instance["attributes"] ?? instance["attributes_flat"];
  return isRecord(attributes) && isJson(attributes) && isObject(attributes) ? attributes : {};
}

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Paths are lists of steps; only the first one matters, the attribute's name. */
function sensitiveNames(paths: unknown): Set<string> {
  const names = new Set<string>();
  for (const path of asArray(paths)) {
    const [step] = asArray(path);
    if (isRecord(step) && typeof step["value"] === "string") names.add(step["value"]);
  }
  return names;
}
