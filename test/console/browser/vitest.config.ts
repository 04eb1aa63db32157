import base from "../../../vitest.config.ts";

/** The built console in a real Chromium, on a server process with a real engine: `npm run test:console`. */
// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default {
  ...base,
  test: { ...base.test, include: ["test/console/browser/**/*.test.ts"], exclude: [], testTimeout: 300_000 },
};
