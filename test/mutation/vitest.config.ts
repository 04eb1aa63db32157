import base from "../../vitest.config.ts";

/** The tests of one part, as main.ts names them; Stryker's own way to name files leaves constants of modules unmutated. */
const include = (process.env["MUTATION_TESTS"] ?? "").split(" ");

/** A database is started again after each mutant that does not end, so only parts that need one have it. */
const globalSetup = process.env["MUTATION_BY"] === "TESTS" ? undefined : base.test?.globalSetup;

// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default { ...base, test: { ...base.test, include, globalSetup } };
