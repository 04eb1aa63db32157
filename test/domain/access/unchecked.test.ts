import { expect, it } from "vitest";
import { KnownPlaces } from "../../../src/domain/access/known-places.ts";
import { type Found, permitOrNull, Unchecked } from "../../../src/domain/access/unchecked.ts";
import type { Queries } from "../../../src/domain/domain.ts";
import { rightsOf } from "../../../src/model/people/grant.ts";
import type { TokenCaller } from "../../../src/model/people/permission.ts";
import type { Run } from "../../../src/model/run/run.ts";
import { fakeCaller, fakeRun } from "../../support/fake-domain.ts";

const run = fakeRun();
const found: Found<Run>[] = [new Unchecked(run, run), null];
const withoutRights: TokenCaller = { ...fakeCaller, rights: rightsOf([]) };

it("gives its value to a caller with the permission at its place, and to no other", () => {
  const elsewhere = rightsOf([{ role: "ADMIN", scope: { type: "workspace", workspaceId: "ws_other" } }]);
  expect(permitOrNull(fakeCaller, "run:read", found)).toEqual([run, null]);
  expect(permitOrNull(withoutRights, "run:read", found)).toEqual([null, null]);
  expect(permitOrNull({ ...fakeCaller, rights: elsewhere }, "run:read", found)).toEqual([null, null]);
});

it("gives its value to the owner, whatever the permission", () => {
  const [one] = found;
  expect(one?.permitOwn(withoutRights, "bulk:ofOthers", () => withoutRights.actor.id)).toBe(run);
  expect(one?.permitOwn(withoutRights, "bulk:ofOthers", () => "usr_other")).toBeNull();
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
export const checked: RunsQuery = async (caller) => permitOrNull(caller, "run:read", await read());

it("keeps places of a bounded number of objects", () => {
  const places = new KnownPlaces(2);
  for (const number of [1, 2, 3]) places.note(`run_${number}`, fakeRun(number));
  expect([1, 2, 3].map((number) => places.get(`run_${number}`) !== undefined)).toEqual([false, true, true]);
  // No more of an object than its place.
  expect(places.get("run_3")).toEqual({ organizationId: run.organizationId, workspaceId: run.workspaceId });
});
