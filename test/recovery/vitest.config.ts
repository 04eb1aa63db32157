import base from "../../vitest.config.ts";

/** Processes that start or fail to, are watched, die and come back, and connections that are cut: `npm run test:recovery`. */
// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default {
  ...base,
  test: {
    ...base.test,
    include: ["test/recovery/**/*.test.ts"],
    exclude: [],
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
};
