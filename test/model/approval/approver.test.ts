import { expect, test } from "vitest";
import { approverKindOf } from "../../../src/model/approval/approver.ts";
import { ACTOR_KINDS } from "../../../src/model/people/actor.ts";
import { IDENTIFICATIONS } from "../../../src/model/people/identification.ts";

test("a user is a person by an account at the provider, or by a passkey where there is no provider", () => {
  const kinds = [null, ...IDENTIFICATIONS].map((by) => [
    by,
    approverKindOf("USER", by, false),
    approverKindOf("USER", by, true),
  ]);
  expect(kinds).toEqual([
    [null, "UNIDENTIFIED", "UNIDENTIFIED"],
    ["PROVIDER", "PERSON", "PERSON"],
    ["PASSKEY", "PERSON", "UNIDENTIFIED"],
  ]);
});

test("no other actor is a person, whatever is known of it", () => {
  for (const kind of ACTOR_KINDS.filter((each) => each !== "USER")) {
    for (const by of [null, ...IDENTIFICATIONS]) {
      expect([approverKindOf(kind, by, false), approverKindOf(kind, by, true)]).toEqual(["MACHINE", "MACHINE"]);
    }
  }
});
