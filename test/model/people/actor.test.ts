import { expect, test } from "vitest";
import {
  ADMIN_ACTOR_ID,
  ADMIN_TOKEN_ID,
  DEFAULT_ORGANIZATION_ID,
  SYSTEM_ACTOR_ID,
} from "../../../src/model/people/actor.ts";

test.each([
  ["sys_", SYSTEM_ACTOR_ID],
  ["usr_", ADMIN_ACTOR_ID],
  ["tok_", ADMIN_TOKEN_ID],
  ["org_", DEFAULT_ORGANIZATION_ID],
])("every installation begins with %s and a zero", (prefix, id) => {
  expect(id).toBe(prefix + "0".repeat(26));
});
