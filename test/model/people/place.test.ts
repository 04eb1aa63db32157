import { expect, it } from "vitest";
import { type Place, visiblePlace } from "../../../src/model/people/place.ts";

const at = (workspaceId: string): Place => ({ organizationId: "org_a", projectId: "prj_a", workspaceId });
const one = at("ws_1");
const two = at("ws_2");
const sees =
  (...seen: Place[]) =>
  (place: Place): boolean =>
    seen.includes(place);

it("something at one place is visible there", () => {
  expect(visiblePlace(one, sees(one))).toBe(one);
  expect(visiblePlace(one, sees(two))).toBeNull();
});

it("something that concerns several workspaces is visible at the first of them that is", () => {
  const places = { of: "ONE", places: [one, two] } as const;
  expect(visiblePlace(places, sees(two))).toBe(two);
  expect(visiblePlace(places, sees(one, two))).toBe(one);
  expect(visiblePlace(places, sees())).toBeNull();
});

it("something that takes all of its places is not visible at some", () => {
  const places = { of: "ALL", places: [one, two] } as const;
  expect(visiblePlace(places, sees(one, two))).toBe(one);
  expect(visiblePlace(places, sees(one))).toBeNull();
  expect(visiblePlace(places, sees(two))).toBeNull();
});

it("something without a place is visible nowhere", () => {
  for (const needed of ["ONE", "ALL"] as const) {
    expect(visiblePlace({ of: needed, places: [] }, () => true)).toBeNull();
  }
});
