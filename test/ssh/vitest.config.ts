import base from "../../vitest.config.ts";

/** Git over the ssh server of OpenSSH, which no package of npm has: `npm run test:ssh`. */
// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default {
  ...base,
  test: { ...base.test, include: ["test/ssh/**/*.test.ts"], exclude: [] },
};
