import base from "../../../vitest.config.ts";

/** Tests of repositories, refs, mirrors and promotions with a real git: `npm run test:git`. */
// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default {
  ...base,
  test: { ...base.test, include: ["test/domain/{promotion,repository,source}/**/*.test.ts"], exclude: [] },
};
