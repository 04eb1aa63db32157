import { globSync, readFileSync } from "node:fs";
import base from "../../vitest.config.ts";

/** The files with walks over a table: of these, `npm test` has a few cases each. */
const WALKS = /from "[./]+\/support\/walk\.ts"/;

/** All cases of each walk over commands, statuses and refusals: `npm run test:walks`. */
// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default {
  ...base,
  test: {
    ...base.test,
    // Also of the scripts beside `npm test`, which have a few cases each as well.
    exclude: [],
    include: globSync("test/**/*.test.ts").filter((file) => WALKS.test(readFileSync(file, "utf8"))),
    provide: { ...base.test?.provide, walks: true },
  },
};
