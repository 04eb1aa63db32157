import { expect, it } from "vitest";
import { outputDifferences } from "../../../src/console/plan/output-differences.ts";

const found = (output: object): string[] =>
  outputDifferences({ action: "UPDATE", sensitive: false, unknown: false, ...output }).map(
    ({ path, kind, before, after }) => `${path} ${kind} ${JSON.stringify(before)} ${JSON.stringify(after)}`,
  );

it.each([
  [{ action: "CREATE", before: null, after: "new" }, ['value ADDED undefined "new"']],
  [{ action: "CREATE", before: null, after: { port: 443 } }, ['value ADDED undefined {"port":443}']],
  [{ action: "DELETE", before: "old", after: null }, ['value REMOVED "old" undefined']],
  [{ before: "old", after: "new" }, ['value CHANGED "old" "new"']],
  [{ before: { host: "a", port: 1 }, after: { host: "b", port: 1 } }, ['value.host CHANGED "a" "b"']],
  [{ before: "old", after: null, unknown: true }, ['value UNKNOWN "old" null']],
  [{ action: "CREATE", before: null, after: null, unknown: true }, ["value UNKNOWN undefined null"]],
  [{ before: null, after: null, sensitive: true }, []],
])("of %j are %j", (output, differences) => {
  expect(found(output)).toEqual(differences);
});
