import base from "../../../vitest.config.ts";

// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default {
  ...base,
  test: {
    ...base.test,
    globalSetup: process.env["MUTATION_DATABASE"] === "true" ? base.test?.globalSetup : undefined,
    include: ["test/mutation/session/session.ts"],
    setupFiles: ["test/mutation/setup.ts"],
    provide: { ...base.test?.provide, walks: true },
    maxWorkers: 1,
  },
};
