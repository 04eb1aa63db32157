import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that mostly wait, for an engine to end or a socket to be given up: the others run meanwhile. */
const WAITING = /e2e\/terraform|bus\/stalled-reader\./;

class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isWaiting = ({ moduleId }: TestSpecification): boolean => WAITING.test(moduleId);
    return [...sorted.filter(isWaiting), ...sorted.filter((file) => !isWaiting(file))];
  }
}

export default defineConfig({
  ssr: {
    // The conditions under which Node resolves packages; with Vite's own there would be two copies of graphql.
    resolve: { conditions: ["node", "module-sync", "default"] },
  },
  test: {
    include: ["test/**/*.test.ts"],
    // What is killed, restarted and waited for has a run of its own: `npm run test:recovery`.
    exclude: ["test/fixtures/**", "test/recovery/**"],
    pool: "forks",
    // Files share a process: nothing of the product is global, and a fifth of the CPU time was imports.
    isolate: false,
    // More than the two cores: some files mostly wait for a lease to run out.
    maxWorkers: 3,
    sequence: { sequencer: WaitingFirst },
    testTimeout: 30_000,
    // As waits in test/support/eventually.ts.
    expect: { poll: { timeout: 25_000 } },
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    provide: { modelRuns: 5, soaks: false },
    globalSetup: ["test/support/global-setup.ts"],
  },
});
