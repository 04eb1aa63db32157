import type { Selectable } from "kysely";
import { ACTOR_KINDS, type Actor } from "../../model/people/actor.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";
import { isAnyOf, prepared, type Slot } from "../database/prepared.ts";
import type { Tables } from "../database/tables.ts";

export function toActor(row: Pick<Selectable<Tables["actor"]>, "id" | "kind" | "name">): Actor {
  return { id: row.id, kind: word(ACTOR_KINDS, row.kind), name: row.name };
}

/** Adds an actor. Names are for people: several actors may have the same, and only the id identifies one. */
export async function insertActor(tx: Transaction, actor: Actor, createdAt: string): Promise<void> {
  await tx.sql
    .insertInto("actor")
    .values({ ...actor, created_at: createdAt })
    .execute();
}

const actorsById = prepared((db, slot: Slot<{ ids: readonly string[] }>) =>
  db
    .selectFrom("actor")
    .select(["id", "kind", "name"])
    .where("id", "=", isAnyOf(slot("ids"))),
);

export async function findActors(reader: Reader, ids: readonly string[]): Promise<(Actor | null)[]> {
  const rows = await actorsById(reader, { ids });
  return inOrder(ids, rows.map(toActor), (actor) => actor.id);
}
