/** The credential of a caller: the token behind it, and that by which its limits are counted. */
import { expect, test } from "vitest";
import { countedCredential, tokenIdOf } from "../../../src/model/people/permission.ts";

const OPENING = { id: "tok_1", shownAt: "2026-01-01T00:00:00.000Z", expiresAt: null };

test.each([
  [{ credential: "TOKEN", credentialId: "tok_1" }, "tok_1", "tok_1"],
  [{ credential: "SESSION", credentialId: "ses_1" }, null, "ses_1"],
  [{ credential: "RUN", credentialId: "run_1" }, null, "run_1"],
  [{ credential: "SESSION", credentialId: "ses_1", openedBy: OPENING }, "tok_1", "tok_1"],
] as const)("of %o is the token %s, and it counts as %s", (credential, token, counted) => {
  expect(tokenIdOf(credential)).toBe(token);
  expect(countedCredential(credential)).toBe(counted);
});
