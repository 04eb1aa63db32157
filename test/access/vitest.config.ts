import base from "../../vitest.config.ts";

/** Asks everything of everyone, and compares the answers with tables: `npm run test:access`. */
// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default {
  ...base,
  test: { ...base.test, include: ["test/access/**/*.test.ts"], exclude: [] },
};
