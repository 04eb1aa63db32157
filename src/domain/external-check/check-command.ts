/** The template of commands about an external check. */
import type { ExternalCheck } from "../../model/check/external-check.ts";
import { idKind } from "../../model/kit/id.ts";
import { invalidField, UserError } from "../../model/kit/user-error.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { organizationPlace, type Place } from "../../model/people/place.ts";
import { findChecks, findHmacKey, lockCheck } from "../../persistence/check/check-store.ts";
import { type Reader, type Transaction, violates } from "../../persistence/database/database.ts";
import { authorize, command, commandInSteps } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";

/** Everyone in the organization sees its checks; their addresses and keys only who may change them. */
export const CHANGES_CHECKS = { permission: "CHECK_WRITE", words: "working with external checks" } as const;

export function placeOfCheck({ organizationId }: Pick<ExternalCheck, "organizationId">): Place {
  return organizationPlace({ id: organizationId });
}

interface CheckCommandSpec {
  name: string;
  checkId: string;
  check?: (input: InputCheck, subject: ExternalCheck, reader: Reader) => void | Promise<void>;
}

function specOf({ name, checkId, check }: CheckCommandSpec) {
  return {
    ...CHANGES_CHECKS,
    name,
    subjectId: checkId,
    noun: "external check",
    placeOf: placeOfCheck,
    sight: "ORGANIZATION_READ",
    check: (input: InputCheck, subject: ExternalCheck, reader: Reader) => check?.(input, subject, reader),
  } as const;
}

/** Runs a command about a check, under the lock of its row (`command`). */
export function commandCheck<T>(
  deps: Deps,
  caller: ActorCaller,
  spec: CheckCommandSpec,
  work: (tx: Transaction, check: ExternalCheck) => Promise<T>,
): Promise<T> {
  const find = async (tx: Transaction): Promise<ExternalCheck | null> =>
    idKind(spec.checkId) === "externalCheck" ? lockCheck(tx, spec.checkId) : null;
  return command(deps, caller, { ...specOf(spec), find }, work);
}

/** Runs a command about a check that waits for its service; `lockAgain` is the first step of its transaction. */
export function commandCheckInSteps<T>(
  deps: Deps,
  caller: ActorCaller,
  spec: CheckCommandSpec,
  work: (check: ExternalCheck, input: InputCheck) => Promise<T>,
): Promise<T> {
  const find = async (reader: Reader): Promise<ExternalCheck | null> => {
    const [check = null] = idKind(spec.checkId) === "externalCheck" ? await findChecks(reader, [spec.checkId]) : [];
    return check;
  };
  return commandInSteps(deps, caller, { ...specOf(spec), find }, work);
}

/** Locks a check whose command has waited, and asks for the permission again. */
export async function lockAgain(tx: Transaction, caller: ActorCaller, checkId: string): Promise<ExternalCheck> {
  const check = await lockCheck(tx, checkId);
  if (check === null) throw invalidField("checkId", "is of a check that was deleted meanwhile.");
  authorize(caller, CHANGES_CHECKS, placeOfCheck(check));
  return check;
}

/** Returns the origin at which services reach this server. */
export function originOf({ publicUrl }: Pick<Deps, "publicUrl">, path: string): string {
  if (publicUrl !== null) return publicUrl;
  throw invalidField(
    path,
    "cannot be used: services report to this server, whose address is not known. Set HOLDPOINT_PUBLIC_URL.",
  );
}

/** Reads the key of a check; `null` if it has none. */
export async function readHmacKey({ database, cipher }: Pick<Deps, "database" | "cipher">, id: string) {
  try {
    return await findHmacKey(database, cipher, id);
  } catch {
    throw invalidField("hmacKey", "cannot be decrypted with the master key of this server. Set it again.");
  }
}

/** Turns the violated unique index on names into an error for the caller. */
export function checkNameTaken(error: unknown, name: string): unknown {
  const message = `The organization already has an external check "${name}". Choose another name.`;
  return violates(error, "external_check_name") ? new UserError("NAME_TAKEN", message) : error;
}
