import type { Place } from "../../model/people/grant.ts";
import type { Page } from "../../model/kit/page.ts";
import { can, type TokenCaller } from "../../model/people/permission.ts";
import type { Permission } from "../../model/people/permission-set.ts";

/**
 * A value that was read from the database and that no caller may see yet. Reads are shared among callers, so that the
 * permission is asked for behind the read; the value comes out in no other way, so that a forgotten check does not compile.
 */
export class Unchecked<Value> {
  readonly #value: Value;
  readonly #place: Place;

  constructor(value: Value, place: Place) {
    this.#value = value;
    this.#place = place;
  }

  /** The value; `null` if the caller lacks the permission at its place. */
  permit(caller: TokenCaller, permission: Permission): Value | null {
    return can(caller, permission, this.#place) ? this.#value : null;
  }

  /** The value; `null` if it is not the caller's own and the caller lacks the permission at its place. */
  permitOwn(caller: TokenCaller, permission: Permission, ownerIdOf: (value: Value) => string): Value | null {
    return ownerIdOf(this.#value) === caller.actor.id ? this.#value : this.permit(caller, permission);
  }
}

/** A value that may not exist. */
export type Found<Value> = Unchecked<Value> | null;

/** Opens each value; `nothing` stands for what does not exist and for what the caller may not see. */
export function permitEach<Value, Nothing>(
  caller: TokenCaller,
  permission: Permission,
  found: readonly Found<Value>[],
  nothing: () => Nothing,
): (Value | Nothing)[] {
  return found.map((one) => one?.permit(caller, permission) ?? nothing());
}

/** Opens each value; `null` stands for what does not exist and for what the caller may not see. */
export function permitOrNull<Value>(
  caller: TokenCaller,
  permission: Permission,
  found: readonly Found<Value>[],
): (Value | null)[] {
  return found.map((one) => one?.permit(caller, permission) ?? null);
}

/** Opens each list; an empty one stands for what does not exist and for what the caller may not see. */
export function permitLists<Item>(
  caller: TokenCaller,
  permission: Permission,
  found: readonly Found<Item[]>[],
): Item[][] {
  return found.map((one) => one?.permit(caller, permission) ?? []);
}

/** Opens the rows of a page, and leaves out those that the caller may not see. */
export function permitPage<Row>(caller: TokenCaller, permission: Permission, page: Page<Unchecked<Row>>): Page<Row> {
  const items: Row[] = [];
  for (const row of page.items) {
    const seen = row.permit(caller, permission);
    if (seen !== null) items.push(seen);
  }
  return { ...page, items };
}
