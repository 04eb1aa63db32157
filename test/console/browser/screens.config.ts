import flows, { FLOWS } from "./vitest.config.ts";

/** The other pages of the console, one after the other: `npm run test:screens`. */
// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default {
  ...flows,
  test: { ...flows.test, include: ["test/console/browser/*.test.ts"], exclude: FLOWS },
};
