/** Queries that open the values of a batched read, as the caller is permitted. */
import type { ActorCaller } from "../../model/people/permission.ts";
import type { Permission } from "../../model/people/permission-set.ts";
import type { UncheckedRead } from "./reads.ts";
import { permitLists, permitOrNull, type Unchecked } from "./unchecked.ts";

/** A batched query: one value for each key, in the order of the keys. */
type Query<Key, Value> = (caller: ActorCaller, keys: readonly Key[]) => Promise<Value[]>;

/** Declares a query whose value is `null` if the object does not exist or the caller lacks the permission. */
export function queryOrNull<Key, Value>(
  permission: Permission,
  read: UncheckedRead<Key, Value>,
): Query<Key, Value | null> {
  return async (caller, keys) => permitOrNull(caller, permission, await read(keys));
}

/** Declares a query of lists, which are empty if the object does not exist or the caller lacks the permission. */
export function queryLists<Key, Item>(permission: Permission, read: UncheckedRead<Key, Item[]>): Query<Key, Item[]> {
  return async (caller, keys) => permitLists(caller, permission, await read(keys));
}

/** Declares a query of lists, each without the rows at whose place the caller lacks the permission. */
export function queryPlacedLists<Row>(
  permission: Permission,
  read: (keys: readonly string[]) => Promise<Unchecked<Row>[][]>,
): Query<string, Row[]> {
  return async (caller, keys) => {
    const lists = await read(keys);
    return lists.map((rows) => rows.flatMap((row) => row.permit(caller, permission) ?? []));
  };
}
