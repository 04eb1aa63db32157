import base from "../../vitest.config.ts";

/** People in a real Chromium, which no package of npm has: `npm run test:browser`. */
// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default {
  ...base,
  test: { ...base.test, include: ["test/browser/**/*.test.ts"], exclude: [], testTimeout: 300_000 },
};
