import base from "../../vitest.config.ts";

/** Servers, runners, databases and connections that die and come back: `npm run test:recovery`. */
// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default {
  ...base,
  test: { ...base.test, include: ["test/recovery/**/*.test.ts"], exclude: [] },
};
