/** A part of the product with the tests that must notice its mutations. Both are globs from the root of the repository. */
export interface Part {
  name: string;
  sources: readonly string[];
  tests: readonly string[];
  /**
   * TESTS: a mutant meets the tests that reach it, each by itself. FILES: it meets all files until one of them fails.
   * That takes longer, and is needed where tests of a file build on each other.
   */
  by: "TESTS" | "FILES";
}

/** A folder of the model, by the tests of the same folder. */
function model(folder: string, ...tests: string[]): Part {
  const sources = [`src/model/${folder}/**/*.ts`];
  return { name: `model/${folder}`, sources, tests: [`test/model/${folder}/**/*.test.ts`, ...tests], by: "TESTS" };
}

/** A file belongs to the first part that has it. */
export const PARTS: readonly Part[] = [
  model("admission"),
  model("approval"),
  model("kit"),
  model("lifecycle", "test/model/run-machine-properties.test.ts"),
  model("log"),
  model("people"),
  model("plan"),
  model("run"),
  model("runner"),
  model("state"),
  model("webhook"),
  model("workspace"),
];
