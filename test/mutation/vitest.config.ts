import base from "../../vitest.config.ts";

/** The tests of one part, as main.ts names them; Stryker's own way to name files leaves constants of modules unmutated. */
const include = (process.env["MUTATION_TESTS"] ?? "").split(" ");

// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default { ...base, test: { ...base.test, include } };
