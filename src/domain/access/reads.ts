/**
 * Declares reads whose values are checked against the caller's permissions before use. All queries are built from them.
 */
import { LIMITS } from "../../model/kit/limits.ts";
import type { Page } from "../../model/kit/page.ts";
import { organizationPlace, type Place, workspacePlace } from "../../model/people/place.ts";
import type { Run, RunSummary } from "../../model/run/run.ts";
import type { Organization, Workspace } from "../../model/workspace/workspace.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findOrganizations } from "../../persistence/organization/organization-store.ts";
import { findRuns, findRunSummaries } from "../../persistence/run/run-store.ts";
import { findWorkspaces } from "../../persistence/workspace/workspace-store.ts";
import { batchReads, type ReadKeys } from "../kit/batch-reads.ts";
import { KnownPlaces } from "./known-places.ts";
import type { RightsCache } from "../kit/rights-cache.ts";
import { type Found, Unchecked } from "./unchecked.ts";

/** Reads one value per key, in the order of the keys. Without keys there is no statement. */
export type UncheckedRead<Key, Value> = (keys: readonly Key[]) => Promise<Found<Value>[]>;

interface Identified {
  id: string;
}

export interface Reads {
  organizations: UncheckedRead<string, Organization>;
  workspaces: UncheckedRead<string, Workspace>;
  runs: UncheckedRead<string, Run>;
  /** The fields of runs that lists show; also for the place of what belongs to a run. */
  runSummaries: UncheckedRead<string, RunSummary>;
  /** Declares a read of rows by id; `relatedIdOf`: another object that has the same place. */
  byId<Row extends Identified>(
    read: ReadKeys<Row | null>,
    placeOf: (row: Row) => Place,
    relatedIdOf?: (row: Row) => string | null,
  ): UncheckedRead<string, Row>;
  /**
   * Declares a read of children by the ids of their parents, at the place of the parent. `rowsOf`: rows of the value
   * that have children themselves.
   */
  below<Value>(
    parents: UncheckedRead<string, unknown>,
    read: ReadKeys<Value>,
    rowsOf?: (value: Value) => readonly Identified[],
  ): UncheckedRead<string, Value>;
  /** Declares a read of lists whose rows each have a place of their own, which may be hidden where the others are seen. */
  lists<Row extends Identified>(
    read: ReadKeys<Row[]>,
    placeOf: (row: Row) => Place,
  ): (ids: readonly string[]) => Promise<Unchecked<Row>[][]>;
  /** Reads a page of the children of one parent; `null` if there is no such parent. */
  pageBelow<Row extends object>(
    parents: UncheckedRead<string, unknown>,
    parentId: string,
    read: () => Promise<Page<Row>>,
  ): Promise<Found<Page<Row>>>;
  /** Declares a read about runs that the caller has already been shown. */
  ofRuns<Value>(read: (runs: readonly Run[]) => Promise<Value[]>): UncheckedRead<Run, Value>;
  /** Reads one row by something else than its id. */
  row<Row extends Identified>(read: () => Promise<Row | null>, placeOf: (row: Row) => Place): Promise<Found<Row>>;
  /** Reads rows. */
  rows<Row extends Identified>(
    read: () => Promise<readonly Row[]>,
    placeOf: (row: Row) => Place,
  ): Promise<Unchecked<Row>[]>;
  /** Reads a page. */
  page<Row extends Identified>(
    read: () => Promise<Page<Row>>,
    placeOf: (row: Row) => Place,
  ): Promise<Page<Unchecked<Row>>>;
}

/** Batches a read: concurrent requests share one statement. */
export function batched<Value>(
  reader: Reader,
  read: (reader: Reader, keys: readonly string[]) => Promise<Value[]>,
): ReadKeys<Value> {
  return batchReads((keys) => read(reader, keys), LIMITS.keysPerRead);
}

function isPlaced(row: object): row is Place {
  return "organizationId" in row && "projectId" in row && "workspaceId" in row;
}

export function createReads(database: Reader, rights: Pick<RightsCache, "onMoved">): Reads {
  const places = new KnownPlaces();
  rights.onMoved(() => places.forget());

  /** `generation`: that of the places when the read began. */
  function wrap<Row extends Identified>(
    row: Row,
    placeOf: (row: Row) => Place,
    generation: number,
    relatedIdOf?: (row: Row) => string | null,
  ): Unchecked<Row> {
    const place = placeOf(row);
    places.note(row.id, place, generation);
    const relatedId = relatedIdOf?.(row) ?? null;
    if (relatedId !== null) places.note(relatedId, place, generation);
    return new Unchecked(row, place);
  }

  function byId<Row extends Identified>(
    read: ReadKeys<Row | null>,
    placeOf: (row: Row) => Place,
    relatedIdOf?: (row: Row) => string | null,
  ): UncheckedRead<string, Row> {
    return async (ids) => {
      if (ids.length === 0) return [];
      const { generation } = places;
      const rows = await read(ids);
      return rows.map((row) => (row === null ? null : wrap(row, placeOf, generation, relatedIdOf)));
    };
  }

  /** Reads the parents whose place is not in `known`, and adds their places. */
  function readPlaces(
    parents: UncheckedRead<string, unknown>,
    ids: readonly string[],
    known: readonly (Place | undefined)[],
  ): Promise<unknown> | null {
    const unknown = ids.filter((_, index) => known[index] === undefined);
    return unknown.length === 0 ? null : parents(unknown);
  }

  /** A row with a place of its own, such as a runner that organizations share, is noted there. */
  function noteBelow(value: object, place: Place, generation: number): void {
    if (!("id" in value) || typeof value.id !== "string") return;
    places.note(value.id, isPlaced(value) ? value : place, generation);
  }

  const reads = {
    byId,
    below<Value>(
      parents: UncheckedRead<string, unknown>,
      read: ReadKeys<Value>,
      rowsOf?: (value: Value) => readonly Identified[],
    ): UncheckedRead<string, Value> {
      return async (ids) => {
        if (ids.length === 0) return [];
        // Concurrently: the run and what belongs to it are read in the same round trip.
        const { generation } = places;
        const reading = read(ids);
        const known = ids.map((id) => places.get(id));
        const meeting = readPlaces(parents, ids, known);
        const values = meeting === null ? await reading : (await Promise.all([reading, meeting]))[0];
        return values.map((value, index) => {
          const place = known[index] ?? places.get(ids[index] ?? "");
          if (place === undefined) return null;
          if (rowsOf !== undefined) for (const row of rowsOf(value)) places.note(row.id, place, generation);
          return new Unchecked(value, place);
        });
      };
    },
    lists<Row extends Identified>(
      read: ReadKeys<Row[]>,
      placeOf: (row: Row) => Place,
    ): (ids: readonly string[]) => Promise<Unchecked<Row>[][]> {
      return async (ids) => {
        if (ids.length === 0) return [];
        const { generation } = places;
        return (await read(ids)).map((rows) => rows.map((row) => wrap(row, placeOf, generation)));
      };
    },
    async pageBelow<Row extends object>(
      parents: UncheckedRead<string, unknown>,
      parentId: string,
      read: () => Promise<Page<Row>>,
    ): Promise<Found<Page<Row>>> {
      const known = places.get(parentId);
      const { generation } = places;
      const [page] = await Promise.all([read(), readPlaces(parents, [parentId], [known])]);
      const place = known ?? places.get(parentId);
      if (place === undefined) return null;
      for (const item of page.items) noteBelow(item, place, generation);
      return new Unchecked(page, place);
    },
    ofRuns<Value>(read: (runs: readonly Run[]) => Promise<Value[]>): UncheckedRead<Run, Value> {
      return async (runs) => {
        if (runs.length === 0) return [];
        const values = await read(runs);
        return values.flatMap((value, index) => {
          const run = runs[index];
          return run === undefined ? [] : [new Unchecked(value, run)];
        });
      };
    },
    async row<Row extends Identified>(
      read: () => Promise<Row | null>,
      placeOf: (row: Row) => Place,
    ): Promise<Found<Row>> {
      const { generation } = places;
      const row = await read();
      return row === null ? null : wrap(row, placeOf, generation);
    },
    async rows<Row extends Identified>(
      read: () => Promise<readonly Row[]>,
      placeOf: (row: Row) => Place,
    ): Promise<Unchecked<Row>[]> {
      const { generation } = places;
      return (await read()).map((row) => wrap(row, placeOf, generation));
    },
    async page<Row extends Identified>(
      read: () => Promise<Page<Row>>,
      placeOf: (row: Row) => Place,
    ): Promise<Page<Unchecked<Row>>> {
      const { generation } = places;
      const page = await read();
      return { ...page, items: page.items.map((row) => wrap(row, placeOf, generation)) };
    },
  };
  return {
    ...reads,
    organizations: byId(batched(database, findOrganizations), organizationPlace),
    workspaces: byId(batched(database, findWorkspaces), workspacePlace),
    // A run has the place of the PLAN run whose plan it applies.
    runs: byId(
      batched(database, findRuns),
      (run) => run,
      ({ planRunId }) => planRunId,
    ),
    runSummaries: byId(batched(database, findRunSummaries), (run) => run),
  };
}
