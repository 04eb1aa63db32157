import base from "../../vitest.config.ts";

/** Tests of the API, with operations executed by graphql-js alone: `npm run test:library`. */
// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default {
  ...base,
  test: {
    ...base.test,
    include: [
      "test/graphql/**/*.test.ts",
      "test/access/shared-identity.test.ts",
      "test/http/**/*socket.test.ts",
      "test/http/plain-post.test.ts",
    ],
    exclude: [],
    provide: { ...base.test?.provide, executor: "library" },
  },
};
