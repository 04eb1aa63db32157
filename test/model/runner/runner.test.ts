import { expect, test } from "vitest";
import { RUNNER_LABEL, RUNNER_LABEL_WORDS } from "../../../src/model/runner/runner.ts";
import { DatabaseFull, StoreUnavailable } from "../../../src/model/runner/store-unavailable.ts";

test.each(["a", "0", "gpu", "region:eu-west_1.b", "a".repeat(64)])("%s is a label", (label) => {
  expect(label).toMatch(RUNNER_LABEL);
});

test.each(["", "A", "aB", "-a", ".a", "_a", ":a", "a b", "a/b", "ä", "a\n", "a".repeat(65)])(
  "%j is no label",
  (label) => {
    expect(label).not.toMatch(RUNNER_LABEL);
  },
);

test("the refusal of a label describes labels", () => {
  expect(RUNNER_LABEL_WORDS).toBe(
    "must have 1 to 64 small letters, digits, dots, underscores, colons and hyphens, beginning with a letter or digit",
  );
});

test("the text of a store that is away has what to do and the id of the error, and no host", () => {
  const error = new StoreUnavailable("connect ECONNREFUSED s3.internal:9000");
  expect(error).toMatchObject({ name: "StoreUnavailable", code: "STORE_UNAVAILABLE" });
  expect(error.message).toContain("s3.internal");
  expect(error.shownAs("err_1")).toBe("The artifact store is unreachable. Try again later (err_1).");
  expect(new DatabaseFull("no space left on device").shownAs("err_2")).toBe(
    "The disk of the database is full, so nothing was stored. Free space on it, then try again (err_2).",
  );
});
