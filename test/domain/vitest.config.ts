import base from "../../vitest.config.ts";

/**
 * Tests of policies and checks, of people and programs, of what starts runs by itself, and of verifications:
 * `npm run test:domain`, with `-- schedule` for the files of a folder.
 */
// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default {
  ...base,
  test: {
    ...base.test,
    include: [
      "test/domain/{changeset,check,creation,dependency,health,judgement,people,policy,schedule,token,verification}/**/*.test.ts",
      "test/evaluator/**/*.test.ts",
      "test/http/{programs,sign-in}/**/*.test.ts",
    ],
    exclude: [],
  },
};
