import base from "../../vitest.config.ts";

/** Hints over a nats-server, which no package of npm has: `npm run test:nats`. */
// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default {
  ...base,
  test: { ...base.test, include: ["test/nats/**/*.test.ts"], exclude: [] },
};
