import base from "../../../vitest.config.ts";

const place = (name: string): string => `test/console/browser/${name}.test.ts`;

/** How people decide, and what holds for all pages: in two minutes. */
export const FLOWS = ["asleep", "barriers", "decide", "frame", "lost-apply", "orders", "palette", "specimens"].map(
  place,
);

/** The built console in a real Chromium, on a server process with a real engine: `npm run test:console`. */
// oxlint-disable-next-line import/no-default-export -- vitest asks for it
export default {
  ...base,
  test: { ...base.test, include: FLOWS, exclude: [], testTimeout: 300_000 },
};
