import { expect, it } from "vitest";
import { KnownPlaces } from "../../../src/domain/access/known-places.ts";
import {
  type Found,
  permitEach,
  permitLists,
  permitOrNull,
  permitPage,
  Unchecked,
} from "../../../src/domain/access/unchecked.ts";
import type { Queries } from "../../../src/domain/domain.ts";
import { rightsOf } from "../../../src/model/people/rights.ts";
import type { ActorCaller } from "../../../src/model/people/permission.ts";
import type { Run } from "../../../src/model/run/run.ts";
import { onWorkspace } from "../../support/rights.ts";
import { fakeCaller, fakeRun } from "../../support/fake-domain.ts";

const run = fakeRun();
const found: Found<Run>[] = [new Unchecked(run, run), null];
const withoutRights: ActorCaller = { ...fakeCaller, rights: rightsOf([]) };

it("gives its value to a caller with the permission at its place, and to no other", () => {
  const elsewhere = rightsOf([onWorkspace("ADMIN", "ws_other")]);
  expect(permitOrNull(fakeCaller, "RUN_READ", found)).toEqual([run, null]);
  expect(permitOrNull(withoutRights, "RUN_READ", found)).toEqual([null, null]);
  expect(permitOrNull({ ...fakeCaller, rights: elsewhere }, "RUN_READ", found)).toEqual([null, null]);
});

it("gives a list, a page or a stand-in of what the caller may see, and nothing of the rest", () => {
  const other = fakeRun(2, { workspaceId: "ws_other" });
  const here = {
    ...fakeCaller,
    rights: rightsOf([onWorkspace("READER", run.workspaceId)]),
  };
  const both = [new Unchecked(run, run), new Unchecked(other, other)];
  expect(permitEach(here, "RUN_READ", [...both, null], () => "none")).toEqual([run, "none", "none"]);
  const lists = both.map((_, index) => new Unchecked([index], index === 0 ? run : other));
  expect(permitLists(here, "RUN_READ", [...lists, null])).toEqual([[0], [], []]);
  const page = { items: both, hasNextPage: true, hasPreviousPage: false };
  expect(permitPage(here, "RUN_READ", page)).toEqual({ ...page, items: [run] });
  expect(permitPage(fakeCaller, "RUN_READ", page).items).toEqual([run, other]);
  expect(permitPage(here, "RUN_CANCEL", page).items).toEqual([]);
});

it("gives its value to the owner, whatever the permission", () => {
  const [one] = found;
  expect(one?.permitOwn(withoutRights, "BULK_OTHERS", () => withoutRights.actor.id)).toBe(run);
  expect(one?.permitOwn(withoutRights, "BULK_OTHERS", () => "usr_other")).toBeNull();
});

it("shows nothing of its value by other ways", () => {
  const [one] = found;
  expect(JSON.stringify(one)).toBe("{}");
  expect(Object.keys(one ?? {})).toEqual([]);
});

// A check that is forgotten does not compile: the directive is an error itself where the line below it is none.
const read = async (): Promise<Found<Run>[]> => found;
type RunsQuery = Queries["runs"];
// @ts-expect-error What was read is handed on as it is.
export const unopened: RunsQuery = () => read();
// @ts-expect-error The value is private.
export const pried: RunsQuery = async () => (await read()).map((one) => one?.value ?? null);
// @ts-expect-error A permission has to be named.
export const unasked: RunsQuery = async (caller) => (await read()).map((one) => one?.permit(caller) ?? null);
export const checked: RunsQuery = async (caller) => permitOrNull(caller, "RUN_READ", await read());

it("keeps places of a bounded number of objects", () => {
  const places = new KnownPlaces(2);
  for (const number of [1, 2, 3]) places.note(`run_${number}`, fakeRun(number), 0);
  expect([1, 2, 3].map((number) => places.get(`run_${number}`) !== undefined)).toEqual([false, true, true]);
  // No more of an object than its place.
  expect(places.get("run_3")).toEqual({
    organizationId: run.organizationId,
    projectId: run.projectId,
    workspaceId: run.workspaceId,
  });
});

it("keeps a place that is noted again, and as many as are asked for", () => {
  const few = new KnownPlaces(2);
  for (const number of [1, 2, 2]) few.note(`run_${number}`, fakeRun(number), 0);
  expect([1, 2].map((number) => few.get(`run_${number}`) !== undefined)).toEqual([true, true]);
  const places = new KnownPlaces();
  for (let number = 0; number <= 20_000; number += 1) places.note(`run_${number}`, run, 0);
  expect([0, 1, 20_000].map((number) => places.get(`run_${number}`) !== undefined)).toEqual([false, true, true]);
});

it("forgets all places after a move, and takes none of a read that began before it", () => {
  const places = new KnownPlaces();
  const { generation } = places;
  places.note("run_1", run, generation);
  places.forget();
  places.note("run_2", run, generation);
  expect([places.get("run_1"), places.get("run_2")]).toEqual([undefined, undefined]);
  places.note("run_2", run, places.generation);
  expect(places.get("run_2")).toBeDefined();
});
