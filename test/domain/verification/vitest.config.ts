import base from "../../../vitest.config.ts";

/** Tests of verifications and health, with probes of real services: `npm run test:verification`. */
// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default {
  ...base,
  test: { ...base.test, include: ["test/domain/{health,verification}/**/*.test.ts"], exclude: [] },
};
