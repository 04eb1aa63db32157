import { expect, test } from "vitest";
import { personOf } from "../../../src/model/people/sponsor.ts";

const UNTIL = "2026-01-02T00:00:00.000Z";
const SPONSOR = { actorId: "act_inviter", until: UNTIL };

test.each([
  [null, "2026-01-01T00:00:00.000Z", "act_new"],
  [undefined, "2026-01-01T00:00:00.000Z", "act_new"],
  [SPONSOR, "2026-01-01T23:59:59.999Z", "act_inviter"],
  [SPONSOR, UNTIL, "act_new"],
  [SPONSOR, "2026-01-03T00:00:00.000Z", "act_new"],
])("by the sponsor %o, an actor counts at %s as %s", (sponsor, at, person) => {
  expect(personOf("act_new", sponsor, at)).toBe(person);
});
