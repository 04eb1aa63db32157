import base from "../../vitest.config.ts";

const modelRuns = Number(process.env["HOLDPOINT_SOAK_SEQUENCES"] ?? 2_000);

/** Tests that take minutes, and all of a machine: `npm run soak`. */
// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default {
  ...base,
  test: {
    ...base.test,
    include: [
      "test/soak/**/*.soak.ts",
      "test/console/browser/orders.test.ts",
      "test/access/revocation-race.test.ts",
      "test/domain/lifecycle-model.test.ts",
      "test/domain/schedule/year.test.ts",
      "test/evaluator/cel-rules.test.ts",
      "test/graphql/execution/{execution,plain-value,product-schema}.test.ts",
      "test/http/{caller-limits,graphql-socket,repository/hooks}.test.ts",
      "test/ingestion/lying-runner.test.ts",
      "test/bus/stalled-reader.test.ts",
      "test/persistence/dispatch-store.test.ts",
      "test/recovery/verifications.test.ts",
    ],
    exclude: [],
    provide: { modelRuns, walks: true, soaks: true, executor: "compiled" },
    maxWorkers: 1,
  },
};
