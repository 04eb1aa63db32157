import base from "../../vitest.config.ts";

/** Long stories of a real engine: `npm run test:engine`. Each file has a server of its own, so that both cores work. */
// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default {
  ...base,
  test: { ...base.test, include: ["test/engine/**/*.test.ts"], exclude: [] },
};
