import base from "../../vitest.config.ts";

/** Tests of what an engine does: `npm run test:engine`. Stories share a server in each of two files: one for each core. */
// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default {
  ...base,
  test: { ...base.test, include: ["test/engine/**/*.test.ts"], exclude: [] },
};
