/** Reads the results of compiled policies. Results of another shape than expected are errors. */
import type { Json } from "../../model/plan/json.ts";
import type { PolicyDialect } from "../../model/policy/policy-set.ts";
import type { DemandedApprovers } from "../../model/policy/policy-source.ts";
import { BOUNDS } from "../kit/bounds.ts";
import { clip } from "../kit/clip.ts";
import { EvaluationError, type PolicyReport, type ReportedFinding } from "../kit/policy-report.ts";
import { type Fields, fieldOf, isFields } from "./fields.ts";

export interface ResultOptions {
  dialect: PolicyDialect;
  /** The path of the rule, such as `terraform/deny`. */
  entrypoint: string;
  /** Addresses of the plan, the longest first: they are found in messages. */
  addresses: readonly string[];
}

/** The rule that demands approvals in place of violations. */
const DEMAND = "require_approval";

/** Reads the value of a rule: a set of messages. */
export function readResults(value: Json | undefined, options: ResultOptions): PolicyReport {
  const { dialect, entrypoint } = options;
  if (value === undefined) throw shape(entrypoint, "is undefined", "a set");
  if (!Array.isArray(value)) throw shape(entrypoint, `is ${kindOf(value)}`, "a set");
  const isDemand = entrypoint.split("/").at(-1) === DEMAND && (dialect === "HOLDPOINT" || dialect === "FORGECROFT");
  const kept = value.slice(0, BOUNDS.findingsPerPolicy);
  const findings = kept.map((entry) => (isDemand ? toDemand(entry, options) : toViolation(entry, options)));
  return { findings, errors: [], dropped: value.length - kept.length };
}

function shape(entrypoint: string, actual: string, expected: string): EvaluationError {
  const rule = `data.${entrypoint.replaceAll("/", ".")}`;
  return new EvaluationError("SHAPE", `The result of ${rule} ${actual}; it must be ${expected}.`);
}

function kindOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function toViolation(entry: Json, options: ResultOptions): ReportedFinding {
  if (typeof entry === "string") return fromMessage(entry, options);
  if (!isFields(entry)) {
    if (options.dialect === "HCP") return fromMessage(JSON.stringify(entry), options);
    throw shape(options.entrypoint, `holds ${kindOf(entry)}`, "a set of texts or objects");
  }
  const message = messageOf(entry);
  if (message === null) {
    // For HCP any member of the array is a violation.
    if (options.dialect === "HCP") return fromMessage(JSON.stringify(entry), options);
    throw shape(options.entrypoint, "holds an object without a text `msg`", "a set of texts or objects with `msg`");
  }
  const named = addressesOf(entry, options);
  const remediation = fieldOf(entry, "remediation");
  const finding = fromMessage(message, options);
  return {
    ...finding,
    ...(named !== null && { addresses: named, addressesInferred: false }),
    ...(typeof remediation === "string" && { remediation: clip(remediation, BOUNDS.remediationLength) }),
  };
}

function messageOf(entry: Fields): string | null {
  for (const key of ["msg", "message"]) {
    const text = fieldOf(entry, key);
    if (typeof text === "string") return text;
  }
  return null;
}

/** The addresses that a result names; `null` if it names none. */
function addressesOf(entry: Fields, { entrypoint }: ResultOptions): string[] | null {
  const named = fieldOf(entry, "address") ?? fieldOf(entry, "resource");
  if (named === null) return null;
  const list = Array.isArray(named) ? named : [named];
  return list.slice(0, BOUNDS.addressesPerFinding).map((address) => {
    if (typeof address === "string") return clip(address, BOUNDS.addressLength);
    throw shape(entrypoint, "holds an `address` that is no text", "a set of objects with texts as `address`");
  });
}

function fromMessage(message: string, { entrypoint, addresses }: ResultOptions): ReportedFinding {
  const found = inferred(message, addresses);
  return {
    rule: ruleOf(entrypoint),
    message: message.trim() === "" ? "(no message)" : clip(message, BOUNDS.messageLength),
    addresses: found,
    addressesInferred: found.length > 0,
    trace: null,
  };
}

const ruleOf = (entrypoint: string): string => entrypoint.split("/").at(-1) ?? entrypoint;

/** Finds addresses in a text. An address that is part of a longer one is not meant. */
function inferred(message: string, addresses: readonly string[]): string[] {
  let rest = message;
  const found: string[] = [];
  for (const address of addresses) {
    if (found.length === BOUNDS.addressesPerFinding) break;
    const pattern = new RegExp(`(?<![\\w.\\]-])${RegExp.escape(address)}(?![\\w[-]|\\.\\w)`);
    if (!rest.includes(address) || !pattern.test(rest)) continue;
    found.push(clip(address, BOUNDS.addressLength));
    rest = rest.replaceAll(address, "\0");
  }
  return found.sort();
}

/** Reads a demand: of HOLDPOINT with ids of people and teams, of FORGECROFT with the name of a team. */
function toDemand(entry: Json, options: ResultOptions): ReportedFinding {
  if (!isFields(entry)) throw shape(options.entrypoint, `holds ${kindOf(entry)}`, "a set of objects");
  const reason = fieldOf(entry, "reason");
  const message = typeof reason === "string" && reason !== "" ? reason : "Approvals are needed.";
  const named = addressesOf(entry, options);
  return {
    ...fromMessage(message, options),
    ...(named !== null && { addresses: named, addressesInferred: false }),
    approvers: options.dialect === "FORGECROFT" ? forgecroftApprovers(entry, options) : approversOf(entry, options),
  };
}

function approversOf(entry: Fields, options: ResultOptions): DemandedApprovers {
  return {
    name: textAt(entry, "name", options),
    approverIds: textsAt(entry, "approverIds", options),
    teamIds: textsAt(entry, "teamIds", options),
    minimum: countAt(entry, "minimum", options),
    excludeRequester: fieldOf(entry, "excludeRequester") !== false,
  };
}

function forgecroftApprovers(entry: Fields, options: ResultOptions): DemandedApprovers {
  const stage = fieldOf(entry, "stage");
  const team = textAt(entry, "team", options);
  return {
    name: typeof stage === "string" ? stage : team,
    approverIds: [],
    teamIds: [team],
    minimum: countAt(entry, "min", options),
    excludeRequester: true,
  };
}

function textAt(entry: Fields, key: string, { entrypoint }: ResultOptions): string {
  const value = fieldOf(entry, key);
  if (typeof value === "string" && value !== "") return value;
  throw shape(entrypoint, `holds an object without a text \`${key}\``, "a set of objects with it");
}

function textsAt(entry: Fields, key: string, { entrypoint }: ResultOptions): string[] {
  const value = fieldOf(entry, key) ?? [];
  const texts = Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
  if (Array.isArray(value) && texts.length === value.length) return texts;
  throw shape(entrypoint, `holds an object whose \`${key}\` is no list of texts`, "a set of objects with such a list");
}

function countAt(entry: Fields, key: string, { entrypoint }: ResultOptions): number {
  const value = fieldOf(entry, key) ?? 1;
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 50) return value;
  throw shape(entrypoint, `holds an object whose \`${key}\` is no number from 1 to 50`, "a set of objects with one");
}
