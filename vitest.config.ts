import { defineConfig } from "vitest/config";

export default defineConfig({
  ssr: {
    // The conditions under which Node resolves packages; with Vite's own there would be two copies of graphql.
    resolve: { conditions: ["node", "module-sync", "default"] },
  },
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/fixtures/**"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    globalSetup: ["test/support/global-setup.ts"],
  },
});
