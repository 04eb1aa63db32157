/** Runs the commands of people and machine users: look-up, permission, input check, transaction, record of refusals. */
import { INSTALLATION, type Place } from "../../model/people/place.ts";
import { can, scopeOf, type ActorCaller } from "../../model/people/permission.ts";
import type { Permission } from "../../model/people/permission-set.ts";
import { forbiddenReason } from "../../model/people/role.ts";
import { notFound, UserError } from "../../model/kit/user-error.ts";
import type { Reader, Transaction } from "../../persistence/database/database.ts";
import type { Deps } from "../kit/deps.ts";
import { InputCheck } from "../kit/input.ts";
import { requirePresence } from "./presence.ts";
import { recordRejection } from "./record-rejection.ts";

/** A permission with the words for its error: "unlocking workspaces by force". */
export interface Demand {
  permission: Permission;
  words: string;
  /** Ends the message of the refusal, if there is another way than the permission. */
  remedy?: string | undefined;
}

/**
 * Describes a command: its subject, its permission and its checks. `Source`: the reader or transaction that finds the
 * subject.
 */
export interface CommandSpec<Source extends Reader, Subject> {
  /** A function where the permission depends on the subject. */
  permission: Permission | ((subject: Subject) => Permission);
  /** The words for its error. */
  words: string;
  /** The name of the mutation, under which a refusal is recorded. */
  name: string;
  /** The id of the subject as the caller gave it; `null` if it gave none. */
  subjectId: string | null;
  /** Returns the id of the subject, if the caller names the subject by other means. */
  idOf?: (subject: Subject) => string;
  /** The subject in the error NOT_FOUND: "workspace". */
  noun: string;
  /**
   * Reads the subject, and locks it where `Source` is a transaction; `null` if it does not exist. With more than one
   * statement it asks `sees` as soon as the place is known, and gives `null` if not: a hidden subject must not take more
   * statements than one that does not exist.
   */
  find: (source: Source, sees: Sees) => Promise<Subject | null>;
  placeOf: (subject: Subject) => Place;
  /** The permission to see the subject; `null` if everyone does. Without it the error is NOT_FOUND. */
  sight: Permission | null;
  /** The place at which `sight` is asked for, if that is another one. */
  sightOf?: (subject: Subject) => Place;
  /** Ends the message of the refusal, if there is another way than the permission. */
  remedy?: string | undefined;
  /** Whether the subject is the caller's own, which takes no permission. */
  isOwn?: (subject: Subject) => boolean;
  /** Permissions that this input requires beyond `permission`. */
  demands?: readonly Demand[];
  /**
   * Whether the person of a session must lately have proved to be present: always, or unless the subject is the
   * caller's own; absent: never. It depends on the input or the subject in some commands.
   */
  presence?: Presence | ((subject: Subject) => Presence | undefined) | undefined;
  /** Collects the issues of the input. Throws if a rule of the subject forbids the input to the caller. */
  check?: (input: InputCheck, subject: Subject, source: Source) => void | Promise<void>;
}

/** Notes that something was found at a place, and returns whether the caller may see it. */
export type Sees = (place: Place) => boolean;

/** The subjects for which a command requires the person of a session to be present. */
export type Presence = "ALWAYS" | "FOR_OTHERS";

/** The subject of commands about the installation as a whole. That there is one is no secret. */
export const ON_INSTALLATION = {
  noun: "installation",
  sight: null,
  find: async () => INSTALLATION,
  placeOf: () => INSTALLATION,
} as const;

/**
 * Runs a command in one transaction. Refusals come in the order NOT_FOUND, FORBIDDEN, REAUTHENTICATION_REQUIRED,
 * INVALID_INPUT, then those of `work`. A refused command changes nothing and is recorded.
 */
export function command<Subject, Result>(
  deps: Deps,
  caller: ActorCaller,
  spec: CommandSpec<Transaction, Subject>,
  work: (tx: Transaction, subject: Subject) => Promise<Result>,
): Promise<Result> {
  return recorded(deps, caller, spec, (found) =>
    deps.database.transaction(async (tx) => {
      const subject = await admit(deps, caller, spec, tx, found);
      const input = new InputCheck();
      await spec.check?.(input, subject, tx);
      input.done();
      return work(tx, subject);
    }),
  );
}

/**
 * Runs a command that waits for a disk or a network before its transaction, which `work` opens. In it, `work` must lock
 * the subject and call `authorize` again. `work` may add issues to `input` and must call `done`.
 */
export function commandInSteps<Subject, Result>(
  deps: Deps,
  caller: ActorCaller,
  spec: CommandSpec<Reader, Subject>,
  work: (subject: Subject, input: InputCheck) => Promise<Result>,
): Promise<Result> {
  return recorded(deps, caller, spec, async (found) => {
    const subject = await admit(deps, caller, spec, deps.database, found);
    const input = new InputCheck();
    await spec.check?.(input, subject, deps.database);
    return work(subject, input);
  });
}

/** `place`: absent if the caller has the permission nowhere. */
function forbidden({ words, permission, remedy }: Demand, place: Place = INSTALLATION): UserError {
  const scopeId = place.workspaceId ?? place.projectId ?? place.organizationId;
  const reason = forbiddenReason(words, permission);
  return new UserError("FORBIDDEN", remedy === undefined ? reason : `${reason} ${remedy}`, { permission, scopeId });
}

/**
 * Throws FORBIDDEN unless the caller has the permission at the place. The subject must be known to be visible to the
 * caller.
 */
export function authorize(caller: ActorCaller, demand: Demand, place: Place): void {
  if (!can(caller, demand.permission, place)) throw forbidden(demand, place);
}

/**
 * Throws FORBIDDEN unless the caller has the permission at the place of a subject that it may not see by `seeing`. The error
 * then names the organization alone.
 */
export function authorizeUnseen(caller: ActorCaller, demand: Demand, place: Place, seeing: Permission): void {
  if (can(caller, demand.permission, place)) return;
  throw forbidden(demand, can(caller, seeing, place) ? place : { ...place, projectId: null, workspaceId: null });
}

/**
 * Throws FORBIDDEN unless the caller has the permission at some place: for objects without a place yet, and for lists.
 */
export function requireSomewhere(caller: ActorCaller, demand: Demand): void {
  if (scopeOf(caller, demand.permission).type === "nothing") throw forbidden(demand);
}

/** Notes the subject that was found, for the record of a refusal. `id`: `null` if the caller named it by its id. */
type Found = (subject: { id: string | null; place: Place; sight: Permission | null }) => void;

async function admit<Source extends Reader, Subject>(
  deps: Deps,
  caller: ActorCaller,
  spec: CommandSpec<Source, Subject>,
  source: Source,
  found: Found,
): Promise<Subject> {
  const { sight, words } = spec;
  // Without the permission at any place there is nothing to look up, and a look-up must reveal nothing.
  if (spec.isOwn === undefined && sight !== null) requireSomewhere(caller, { permission: sight, words });
  const sees = (place: Place): boolean => sight === null || can(caller, sight, place);
  const subject = await spec.find(source, (place) => {
    found({ id: null, place, sight });
    return sees(place);
  });
  if (subject === null) throw notFound(spec.noun);
  const place = spec.placeOf(subject);
  found({ id: spec.idOf?.(subject) ?? null, place, sight });
  if (spec.isOwn?.(subject) === true) {
    if (presenceFor(spec, subject) === "ALWAYS") await requirePresence(deps, caller);
    return subject;
  }
  if (!sees(spec.sightOf?.(subject) ?? place)) throw notFound(spec.noun);
  for (const demand of [demandOf(spec, subject), ...(spec.demands ?? [])]) authorize(caller, demand, place);
  if (presenceFor(spec, subject) !== undefined) await requirePresence(deps, caller);
  return subject;
}

function demandOf<Source extends Reader, Subject>(
  { permission, words, remedy }: CommandSpec<Source, Subject>,
  subject: Subject,
): Demand {
  return { permission: typeof permission === "function" ? permission(subject) : permission, words, remedy };
}

function presenceFor<Source extends Reader, Subject>(
  { presence }: CommandSpec<Source, Subject>,
  subject: Subject,
): Presence | undefined {
  return typeof presence === "function" ? presence(subject) : presence;
}

/** Runs a command and records its refusal. */
export function recorded<Result>(
  deps: Deps,
  caller: ActorCaller,
  { name, subjectId }: { name: string; subjectId: string | null },
  work: (found: Found) => Promise<Result>,
): Promise<Result> {
  let subject: Parameters<Found>[0] | null = null;
  return work((found) => {
    subject = found;
  }).catch(async (error: unknown) => {
    const rejection = { command: name, subjectId: subject?.id ?? subjectId, found: subject };
    await recordRejection(deps, caller, { ...rejection, error });
    throw error;
  });
}
