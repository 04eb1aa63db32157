import { expect, test } from "vitest";
import { rollbackVariables } from "../../../src/model/workspace/rollback-variables.ts";
import type { Variable } from "../../../src/model/workspace/workspace.ts";

const variable = (key: string, value: string, more: Partial<Variable> = {}): Variable => {
  return { key, value, sensitive: false, category: "ENGINE", hcl: false, ...more };
};
const secret = { sensitive: true };
const environment = { category: "ENVIRONMENT" } as const;

test("a rollback has the plain variables of then, and the credentials of now", () => {
  const then = [
    variable("size", "then", { hcl: true }),
    variable("gone", "then"),
    variable("password", "then", secret),
    variable("revoked", "then", secret),
    variable("REGION", "then", environment),
    variable("TOKEN", "then", { ...environment, ...secret }),
    variable("OLD_TOKEN", "then", { ...environment, ...secret }),
    variable("became_secret", "then"),
    variable("was_secret", "then", secret),
    variable("both", "then"),
  ];
  const now = [
    variable("size", "now"),
    variable("new", "now"),
    variable("password", "now", { ...secret, hcl: true }),
    variable("new_password", "now", secret),
    variable("REGION", "now", environment),
    variable("TOKEN", "now", { ...environment, ...secret }),
    variable("NEW", "now", environment),
    variable("became_secret", "now", secret),
    variable("was_secret", "now"),
    variable("both", "now", environment),
  ];
  expect(rollbackVariables(then, now)).toEqual([
    variable("size", "then", { hcl: true }),
    variable("gone", "then"),
    variable("both", "then"),
    variable("password", "now", { ...secret, hcl: true }),
    variable("new_password", "now", secret),
    variable("REGION", "now", environment),
    variable("TOKEN", "now", { ...environment, ...secret }),
    variable("NEW", "now", environment),
    variable("became_secret", "now", secret),
    variable("was_secret", "now"),
    variable("both", "now", environment),
  ]);
});
