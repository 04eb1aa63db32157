import { keysOf } from "../../model/kit/keys-of.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { RunKind } from "../../model/lifecycle/run-kind.ts";
import { isReplaceable, isTarget, missingInstances, missingTargets } from "../../model/plan/targets.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findPlanInstances } from "../../persistence/plan/plan-store.ts";
import type { MetadataEntry } from "../kit/metadata-entry.ts";
import type { CreateRunInput } from "./create-run-input.ts";
import { type InputCheck, isStorable } from "../kit/input.ts";

/** Options with the kinds that allow them. The engine cannot replace resources while it destroys. */
const OPTION_KINDS = {
  targets: ["DEPLOY", "DESTROY", "PLAN"],
  replace: ["DEPLOY", "PLAN"],
  refreshOnly: ["DEPLOY", "PLAN"],
  planRunId: ["APPLY"],
  command: ["TASK"],
} as const satisfies Record<string, readonly RunKind[]>;

type RunOptions = Pick<CreateRunInput, "kind" | keyof typeof OPTION_KINDS>;

const ADDRESS_LENGTH = 1000;
const INSTANCE_HINT = "An instance of count or for_each has its key in its address, such as aws_instance.web[0].";

/** Checks that each option is well-formed and allowed for the kind. */
export function checkRunOptions(check: InputCheck, input: RunOptions): void {
  for (const option of keysOf(OPTION_KINDS)) {
    if (option !== "replace" && isGiven(input[option])) checkKindHas(check, input.kind, option);
  }
  checkTargets(check, input.targets);
  checkReplace(check, input.replace);
  checkReplaceOf(check, input, input.replace);
  check.require(input.kind !== "APPLY" || input.planRunId !== null, "planRunId", "is required for the kind APPLY.");
}

function checkKindHas(check: InputCheck, kind: RunKind, option: keyof typeof OPTION_KINDS): void {
  const kinds: readonly RunKind[] = OPTION_KINDS[option];
  const last = kinds.at(-1);
  const words = kinds.length === 1 ? `kind ${last}` : `kinds ${kinds.slice(0, -1).join(", ")} and ${last}`;
  check.require(kinds.includes(kind), option, `is allowed with the ${words} only.`);
}

function isGiven(value: readonly string[] | string | boolean | null): boolean {
  return value !== null && value !== false && !(Array.isArray(value) && value.length === 0);
}

/** Checks the command of a TASK, once the workspace is known to allow tasks. */
export function checkCommand(check: InputCheck, command: string | null): void {
  if (command === null) check.refuse("command", "is required for the kind TASK.");
  else check.require(command.trim() !== "", "command", "must not be blank.");
  check.text("command", command);
}

export function checkTargets(input: InputCheck, targets: readonly string[] | null): void {
  checkAddresses(input, "targets", targets, "the address of a resource or module, such as aws_instance.web.", isTarget);
}

/**
 * Refuses targets and addresses to replace that match nothing. If every plan of the run was itself limited to targets,
 * the runner decides.
 */
export async function checkAddressesExist(
  reader: Reader,
  check: InputCheck,
  runId: string,
  targets: readonly string[],
  replace: readonly string[],
): Promise<void> {
  if (targets.length === 0 && replace.length === 0) return;
  const instances = await findPlanInstances(reader, runId);
  if (instances === null) return;
  for (const target of missingTargets(targets.filter(isTarget), instances)) {
    const words = `must match something in the plan, which has no resource or module ${target}.`;
    check.refuse(`targets.${targets.indexOf(target)}`, words);
  }
  for (const address of missingInstances(replace.filter(isReplaceable), instances)) {
    const words = `must match a resource in the plan, which has no instance ${address}. ${INSTANCE_HINT}`;
    check.refuse(`replace.${replace.indexOf(address)}`, words);
  }
}

export function checkReplace(input: InputCheck, replace: readonly string[] | null): void {
  checkAddresses(input, "replace", replace, "the address of a resource, such as aws_instance.web[0].", isReplaceable);
}

/** Checks whether a run can replace resources: a destroy cannot, and a refresh changes nothing but the state. */
export function checkReplaceOf(
  check: InputCheck,
  run: { kind: RunKind; refreshOnly: boolean },
  replace: readonly string[] | null,
): void {
  if (!isGiven(replace)) return;
  checkKindHas(check, run.kind, "replace");
  const words = "cannot be combined with refreshOnly, which changes nothing but the state.";
  check.require(!run.refreshOnly, "replace", words);
}

function checkAddresses(
  input: InputCheck,
  field: string,
  addresses: readonly string[] | null,
  what: string,
  isValid: (address: string) => boolean,
): void {
  if (addresses === null) return;
  const { targetsPerRun } = LIMITS;
  input.require(addresses.length <= targetsPerRun, field, `must have at most ${targetsPerRun} entries.`);
  for (const [index, address] of addresses.slice(0, targetsPerRun).entries()) {
    const ok = isValid(address) && address.length <= ADDRESS_LENGTH && !/\p{Cc}/u.test(address);
    input.require(ok, `${field}.${index}`, `must be ${what}`);
  }
  input.require(new Set(addresses).size === addresses.length, field, "must not name an address twice.");
}

/** Checks the message, the metadata and the idempotency key of a new run. */
export function checkRunNotes(
  check: InputCheck,
  notes: { message: string | null; metadata: readonly MetadataEntry[] | null; priority: number | null },
): void {
  check.text("message", notes.message);
  checkMetadata(check, notes.metadata);
  const { priority } = LIMITS;
  const ok = notes.priority === null || Math.abs(notes.priority) <= priority;
  check.require(ok, "priority", `must be from -${priority} to ${priority}.`);
}

function checkMetadata(check: InputCheck, metadata: readonly MetadataEntry[] | null): void {
  if (metadata === null) return;
  const { metadataEntries, metadataKeyLength, metadataValueLength } = LIMITS;
  check.require(metadata.length <= metadataEntries, "metadata", `must have at most ${metadataEntries} entries.`);
  for (const [index, { key, value }] of metadata.slice(0, metadataEntries).entries()) {
    check.require(
      key.trim() !== "" && key.length <= metadataKeyLength && !/\p{Cc}/u.test(key) && key.isWellFormed(),
      `metadata.${index}.key`,
      `must have 1 to ${metadataKeyLength} characters on one line.`,
    );
    check.require(
      value.length <= metadataValueLength && isStorable(value) && value.isWellFormed(),
      `metadata.${index}.value`,
      `must have at most ${metadataValueLength} characters, and not U+0000.`,
    );
  }
  const keys = new Set(metadata.map(({ key }) => key));
  check.require(keys.size === metadata.length, "metadata", "must not name a key twice.");
}

/** Converts metadata to the form that a run stores. */
export function toMetadata(entries: readonly MetadataEntry[]): Record<string, string> {
  return Object.fromEntries(entries.map(({ key, value }) => [key, value]));
}

/** Returns metadata in a canonical order, independent of the order of the input. */
export function inOrder(entries: readonly MetadataEntry[]): string[][] {
  return entries.toSorted((one, other) => (one.key < other.key ? -1 : 1)).map(({ key, value }) => [key, value]);
}

export function checkIdempotencyKey(check: InputCheck, key: string | null): void {
  if (key === null) return;
  const ok = key.length > 0 && key.length <= LIMITS.keyLength && isStorable(key);
  check.require(ok, "idempotencyKey", `must have 1 to ${LIMITS.keyLength} characters.`);
}
