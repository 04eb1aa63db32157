import base from "../../../vitest.config.ts";

// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default {
  ...base,
  test: {
    ...base.test,
    include: ["test/mutation/session/session.ts"],
    setupFiles: ["test/mutation/setup.ts"],
    maxWorkers: 1,
  },
};
