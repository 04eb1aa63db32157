import { BaseSequencer, type TestSpecification } from "vitest/node";
import base from "../../vitest.config.ts";

/** The checks of permissions come first: their one file takes as long as all others. */
class GuardsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isGuards = ({ project }: TestSpecification): boolean => project.name === "guards";
    return [...sorted.filter(isGuards), ...sorted.filter((file) => !isGuards(file))];
  }
}

const { exclude: _, ...test } = base.test ?? {};

/**
 * Asks everything of everyone, and compares the answers with tables; then opens each check of a permission once, and asks
 * whether the walk notices: `npm run test:access`, with `--project walk` or `--project guards` for one of both.
 */
// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default {
  test: {
    maxWorkers: test.maxWorkers,
    sequence: { sequencer: GuardsFirst },
    projects: [
      { ...base, test: { ...test, name: "walk", include: ["test/access/**/*.test.ts"] } },
      {
        ...base,
        test: {
          ...test,
          name: "guards",
          include: ["test/guards/*.check.ts"],
          // Loads the sources of the product with their checks marked.
          execArgv: ["--import", new URL("../guards/register.mjs", import.meta.url).href],
        },
      },
    ],
  },
};
