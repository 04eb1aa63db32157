import type { Place } from "../../model/people/place.ts";
import type { Page } from "../../model/kit/page.ts";
import { can, type ActorCaller } from "../../model/people/permission.ts";
import type { Permission } from "../../model/people/permission-set.ts";

/**
 * A value from the database that has not been checked against the caller's permissions. Reads are shared among callers,
 * so the check follows the read. Only the `permit` functions return the value; a forgotten check does not compile.
 */
export class Unchecked<Value> {
  readonly #value: Value;
  readonly #place: Place;

  constructor(value: Value, place: Place) {
    this.#value = value;
    this.#place = place;
  }

  /** Returns the value; `null` if the caller lacks the permission at its place. */
  permit(caller: ActorCaller, permission: Permission): Value | null {
    return can(caller, permission, this.#place) ? this.#value : null;
  }

  /** Returns the value; `null` if the caller lacks the permission at its place, and it is not shown by another rule. */
  permitIf(caller: ActorCaller, permission: Permission, isShown: (value: Value) => boolean): Value | null {
    return isShown(this.#value) ? this.#value : this.permit(caller, permission);
  }

  /** Returns the value; `null` if it belongs to another actor and the caller lacks the permission at its place. */
  permitOwn(caller: ActorCaller, permission: Permission, ownerIdOf: (value: Value) => string): Value | null {
    return ownerIdOf(this.#value) === caller.actor.id ? this.#value : this.permit(caller, permission);
  }
}

/** A value that may not exist. */
export type Found<Value> = Unchecked<Value> | null;

/** Checks each value. Returns `nothing` for a value that does not exist or that the caller may not see. */
export function permitEach<Value, Nothing>(
  caller: ActorCaller,
  permission: Permission,
  found: readonly Found<Value>[],
  nothing: () => Nothing,
): (Value | Nothing)[] {
  return found.map((one) => one?.permit(caller, permission) ?? nothing());
}

/** Checks each value. Returns `null` for a value that does not exist or that the caller may not see. */
export function permitOrNull<Value>(
  caller: ActorCaller,
  permission: Permission,
  found: readonly Found<Value>[],
): (Value | null)[] {
  return found.map((one) => one?.permit(caller, permission) ?? null);
}

/** Checks each list. Returns an empty list for one that does not exist or that the caller may not see. */
export function permitLists<Item>(
  caller: ActorCaller,
  permission: Permission,
  found: readonly Found<Item[]>[],
): Item[][] {
  return found.map((one) => one?.permit(caller, permission) ?? []);
}

/** Checks the rows of a page and removes those that the caller may not see. */
export function permitPage<Row>(caller: ActorCaller, permission: Permission, page: Page<Unchecked<Row>>): Page<Row> {
  const items: Row[] = [];
  for (const row of page.items) {
    const seen = row.permit(caller, permission);
    if (seen !== null) items.push(seen);
  }
  return { ...page, items };
}
