import base from "../../../vitest.config.ts";

/** Tests of people and their teams, of how they and programs sign in, and of tokens: `npm run test:people`. */
// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default {
  ...base,
  test: {
    ...base.test,
    include: ["test/domain/{people,token}/**/*.test.ts", "test/http/{programs,sign-in}/**/*.test.ts"],
    exclude: [],
  },
};
