import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that mostly wait, for an engine to end or a socket to be given up: the others run meanwhile. */
const WAITING = /engine\/(configurations|decisions)|bus\/stalled-reader\./;

class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isWaiting = ({ moduleId }: TestSpecification): boolean => WAITING.test(moduleId);
    return [...sorted.filter(isWaiting), ...sorted.filter((file) => !isWaiting(file))];
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Other scripts run these: CONTRIBUTING.md lists them.
    exclude: [
      "access",
      "browser",
      "console/browser",
      "domain/{changeset,check,creation,dependency,health,judgement,people,policy,promotion,repository,schedule,source,token,verification}",
      "engine",
      "evaluator",
      "fixtures",
      "http",
      "ingestion",
      "nats",
      "provider",
      "recovery",
      "ssh",
    ].map((name) => `test/${name}/**`),
    pool: "forks",
    // Files share a process: nothing of the product is global, and a fifth of the CPU time was imports.
    isolate: false,
    // Node itself loads the files, as in production: one loader, one copy of each package, and some CPU time less.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // More than the two cores: some files mostly wait for a lease to run out.
    maxWorkers: 3,
    sequence: { sequencer: WaitingFirst },
    testTimeout: 120_000,
    // As waits in test/support/eventually.ts.
    expect: { poll: { timeout: 50_000 } },
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
    provide: { modelRuns: 5, walks: false, soaks: false, executor: "compiled" },
    globalSetup: ["test/support/global-setup.ts"],
  },
});
