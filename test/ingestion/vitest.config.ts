import base from "../../vitest.config.ts";

/** Tests of the runner protocol, also with runners that lie or come late: `npm run test:ingestion`. */
// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default { ...base, test: { ...base.test, include: ["test/ingestion/**/*.test.ts"], exclude: [] } };
