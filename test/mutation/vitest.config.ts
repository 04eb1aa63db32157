import { matchesGlob, relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import base from "../../vitest.config.ts";

/** The tests of one part, as main.ts names them; Stryker's own way to name files leaves constants of modules unmutated. */
const include = (process.env["MUTATION_TESTS"] ?? "").split(" ");

/** Runs the files in the order of the part, where the quickest come first: a mutant ends with the first test that fails. */
class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      include.findIndex((glob) => matchesGlob(relative(process.cwd(), moduleId), glob));
    return files.toSorted((a, b) => rank(a) - rank(b));
  }
}

// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default {
  ...base,
  test: {
    ...base.test,
    include,
    // Also of the scripts beside `npm test`.
    exclude: [],
    // Only a session has a database.
    globalSetup: undefined,
    provide: { ...base.test?.provide, walks: true },
    setupFiles: ["test/mutation/setup.ts"],
    sequence: { sequencer: InOrder },
  },
};
