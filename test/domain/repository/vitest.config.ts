import base from "../../../vitest.config.ts";

/** Tests of repositories, refs and mirrors with a real git: `npm run test:git`. */
// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default {
  ...base,
  test: { ...base.test, include: ["test/domain/{repository,source}/**/*.test.ts"], exclude: [] },
};
