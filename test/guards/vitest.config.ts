import base from "../../vitest.config.ts";

/** Opens each check of a permission once, and asks whether the walk notices: `npm run test:guards`. */
// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default {
  ...base,
  test: {
    ...base.test,
    include: ["test/guards/*.check.ts"],
    execArgv: ["--import", new URL("register.mjs", import.meta.url).href],
    maxWorkers: 1,
  },
};
