import base from "../../../vitest.config.ts";

/** Tests of what starts runs by itself: schedules, drift, dependencies and changesets: `npm run test:triggers`. */
// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default {
  ...base,
  test: { ...base.test, include: ["test/domain/{changeset,dependency,schedule}/**/*.test.ts"], exclude: [] },
};
