import base from "../../vitest.config.ts";

/** Tests that take minutes, and all of a machine: `npm run soak`. */
// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default { ...base, test: { ...base.test, include: ["test/soak/**/*.soak.ts"], maxWorkers: 1 } };
