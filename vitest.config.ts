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
    // Files share a process: nothing of the product is global, and a fifth of the CPU time was imports.
    isolate: false,
    // More than the two cores: some files mostly wait for a lease to run out.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    globalSetup: ["test/support/global-setup.ts"],
  },
});
