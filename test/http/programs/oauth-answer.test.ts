import { expect, it } from "vitest";
import { oauthErrors } from "../../../src/http/programs/oauth-answer.ts";

it.each([
  [400, "invalid_request"],
  [413, "invalid_request"],
  [429, "temporarily_unavailable"],
  [500, "server_error"],
  [503, "temporarily_unavailable"],
])("an error with the status %i is %s of OAuth, with its message", (status, error) => {
  expect(oauthErrors({ status, code: "X", message: "Try later." })).toEqual({ error, error_description: "Try later." });
});

it("an unexpected error says its id alone", () => {
  expect(oauthErrors({ status: 500, code: "INTERNAL", message: "a secret", errorId: "err_1" })).toEqual({
    error: "server_error",
    error_description: "Unexpected error (err_1).",
  });
});
