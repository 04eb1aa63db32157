import base from "../../vitest.config.ts";

/** Tests of the server over real sockets: routes, streams, hooks and limits: `npm run test:http`. */
// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default {
  ...base,
  test: { ...base.test, include: ["test/http/**/*.test.ts"], exclude: ["test/http/{programs,sign-in}/**"] },
};
