import base from "../../vitest.config.ts";

/** A real provider, which no package of npm has: `npm run test:provider`. */
// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default {
  ...base,
  test: { ...base.test, include: ["test/provider/**/*.test.ts"], exclude: [] },
};
