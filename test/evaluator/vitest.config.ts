import base from "../../vitest.config.ts";

/** Tests of policies, of the processes that evaluate them, and of external checks: `npm run test:policies`. */
// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default {
  ...base,
  test: {
    ...base.test,
    include: ["test/evaluator/**/*.test.ts", "test/domain/{check,creation,judgement,policy}/**/*.test.ts"],
    exclude: [],
  },
};
