/**
 * Every stage, category and code of failures that deployments are known to have, each by a run that really fails so: with a
 * real engine and a real runner.
 */
import { chmod, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FailureCategory, FailureCode, FailureStage } from "../../src/model/lifecycle/failure-code.ts";
import { data, type Holdpoint, PATIENCE_MS, startHoldpoint, type TestWorkspace } from "../e2e/holdpoint.ts";
import { type Data, waitForStatus } from "../support/api.ts";
import { approve } from "../support/run-steps.ts";
import { waitUntil } from "../support/eventually.ts";

const STAGES = [
  "CLONE",
  "DETECT",
  "AUTH",
  "BUILD",
  "PUBLISH",
  "SETUP",
  "DEPLOY",
  "ROLLOUT",
  "VERIFY",
  "ROLLBACK",
  "UNKNOWN",
] as const satisfies readonly FailureStage[];
const CATEGORIES = [
  "AUTH_FAILURE",
  "BUILD_FAILURE",
  "STARTUP_FAILURE",
  "HEALTH_CHECK_FAILURE",
  "ROLLBACK_FAILURE",
  "INFRASTRUCTURE_FAILURE",
  "UNKNOWN_FAILURE",
] as const satisfies readonly FailureCategory[];
const CODES = [
  "AUTHENTICATION_FAILED",
  "CODEBUILD_DOCKER_IMAGE_BUILD_FAILED",
  "DEPLOYMENT_VERIFICATION_FAILED",
  "AUTOMATIC_ROLLBACK_FAILED",
  "AUTOMATIC_ROLLBACK_NO_CANDIDATE",
  "MANUAL_ROLLBACK_FAILED",
  "INFRASTRUCTURE_NETWORK_FAILURE",
  "DEPLOYMENT_FAILED_GENERIC",
] as const satisfies readonly FailureCode[];

let holdpoint: Holdpoint;
let refusing: Server;
let address: string;
let shared: string;
beforeAll(async () => {
  holdpoint = await startHoldpoint();
  refusing = createServer((_request, response) => response.writeHead(401).end());
  await new Promise<void>((resolve) => refusing.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}/`;
  // The engine is another user, which may not enter the folders of this one.
  shared = await mkdtemp("/tmp/holdpoint-shared-");
  await chmod(shared, 0o755);
});
afterAll(async () => {
  refusing.close();
  await holdpoint[Symbol.asyncDispose]();
  await rm(shared, { recursive: true, force: true });
});

const produced: Data[] = [];

/** Notes how a run has failed, and compares it with what the row states. */
function note(failure: Data, expected: object): void {
  expect(failure).toMatchObject(expected);
  produced.push(failure);
}

const CLOSED = "http://127.0.0.1:1/";
const remote = (url: string): string =>
  `data "terraform_remote_state" "cloud" {\n backend = "http"\n config = { address = "${url}", retry_max = 0 }\n}\n`;
const FAILS = `check "works" {\n assert {\n condition = terraform_data.a.output != "bad"\n error_message = "It is bad."\n }\n}\n`;
const VERIFIED = {
  probes: [{ name: "checks", kind: "CHECKS", use: "VERIFY", from: "SERVER", target: "" }],
  verificationSettings: { initialDelaySeconds: 0 },
  rollbackSettings: { mode: "PROPOSE" },
};

interface Case {
  files: Record<string, string>;
  settings?: Record<string, unknown>;
  applies?: true;
  failure: { stage: string; category: string; code: string };
}
const hook = (stage: string, purpose: string): Record<string, unknown> => ({
  hooks: [{ stage, purpose, command: "exit 3" }],
});

const CASES: Record<string, Case> = {
  "a module that cannot be fetched": {
    files: { "main.tf": 'module "m" {\n source = "git::file:///nowhere/at/all"\n}\n' },
    failure: { stage: "CLONE", category: "CONFIGURATION_FAILURE", code: "INIT_FAILED" },
  },
  "a hook that finds nothing": {
    files: { "main.tf": data("a") },
    settings: hook("BEFORE_PLAN", "DETECT"),
    failure: { stage: "DETECT", category: "CONFIGURATION_FAILURE", code: "HOOK_FAILED" },
  },
  "an image that does not build": {
    files: { "main.tf": data("a") },
    settings: hook("BEFORE_PLAN", "BUILD"),
    failure: { stage: "BUILD", category: "BUILD_FAILURE", code: "CODEBUILD_DOCKER_IMAGE_BUILD_FAILED" },
  },
  "an image that cannot be pushed": {
    files: { "main.tf": data("a") },
    settings: hook("BEFORE_PLAN", "PUBLISH"),
    failure: { stage: "PUBLISH", category: "BUILD_FAILURE", code: "HOOK_FAILED" },
  },
  "a service that does not start": {
    files: { "main.tf": data("a") },
    settings: hook("AFTER_APPLY", "ROLLOUT"),
    applies: true,
    failure: { stage: "ROLLOUT", category: "STARTUP_FAILURE", code: "HOOK_FAILED" },
  },
  "a registry that is not there": {
    files: {
      "main.tf":
        'terraform {\n required_providers {\n x = { source = "localhost:1/a/x" }\n }\n}\nresource "x_y" "z" {}\n',
    },
    failure: { stage: "SETUP", category: "INFRASTRUCTURE_FAILURE", code: "INFRASTRUCTURE_NETWORK_FAILURE" },
  },
  "a service whose check blocks fail, with nothing to go back to": {
    files: { "main.tf": data("a", 'input = "bad"') + FAILS },
    settings: VERIFIED,
    applies: true,
    failure: { stage: "ROLLBACK", category: "ROLLBACK_FAILURE", code: "AUTOMATIC_ROLLBACK_NO_CANDIDATE" },
  },
};

describe.concurrent("a run fails by", { timeout: PATIENCE_MS }, () => {
  it.each(Object.entries(CASES))("%s", async (name, { files, settings, applies, failure }) => {
    const workspace = await holdpoint.workspace(name.replaceAll(/[^a-z]+/g, "-"), files);
    if (settings !== undefined) await workspace.update(settings);
    const ended = applies
      ? await workspace.finish((await workspace.plan()).id, 1, "FAILED")
      : await workspace.runToEnd({}, "FAILED");
    note(ended.failure as Data, failure);
  });

  it("a cloud that refuses the credentials", async () => {
    const workspace = await holdpoint.workspace("refused", { "main.tf": remote(address) });
    const { failure } = await workspace.runToEnd({}, "FAILED");
    note(failure as Data, { stage: "AUTH", category: "AUTH_FAILURE", code: "AUTHENTICATION_FAILED" });
  });

  it("a cloud that cannot be reached", async () => {
    const workspace = await holdpoint.workspace("unreachable", { "main.tf": remote(CLOSED) });
    const { failure } = await workspace.runToEnd({}, "FAILED");
    note(failure as Data, { category: "INFRASTRUCTURE_FAILURE", code: "INFRASTRUCTURE_NETWORK_FAILURE" });
  });

  it("a command that fails", async () => {
    const workspace = await holdpoint.workspace("task", { "main.tf": data("a") });
    await workspace.update({ tasksAllowed: true });
    const { id } = await workspace.runToEnd({ kind: "TASK", command: "exit 3" }, "AWAITING_APPLY_APPROVAL");
    await approve(workspace.api, id, "APPLY", 0);
    await waitForStatus(workspace.api, id, "FAILED");
    note((await workspace.run(id)).failure as Data, {
      stage: "DEPLOY",
      category: "UNKNOWN_FAILURE",
      code: "TASK_FAILED",
    });
  });

  it("a result that is bad, and ways back that fail too", async () => {
    const real = join(shared, "real.txt");
    await writeFile(real, "good");
    const workspace = await holdpoint.workspace("way-back", {
      "main.tf": data("a", `input = file("${real}")`) + FAILS,
    });
    await workspace.update(VERIFIED);
    const first = await workspace.deploy();
    await workspace.write({ "main.tf": data("a", 'input = "bad"') + FAILS });
    const { id } = await workspace.plan();
    // What the earlier configuration reads is gone: no run can go back to it.
    await rm(real);
    const failed = await workspace.finish(id, 1, "FAILED");
    note(failed.failure as Data, {
      stage: "VERIFY",
      category: "HEALTH_CHECK_FAILURE",
      code: "DEPLOYMENT_VERIFICATION_FAILED",
    });
    const automatic = await waitUntil(
      async () => (await rollbacksOf(workspace)).find(({ failure }) => failure !== null),
      PATIENCE_MS,
    );
    note(automatic.failure, { stage: "ROLLBACK", code: "AUTOMATIC_ROLLBACK_FAILED", cause: "PLAN_FAILED" });

    const query = `mutation ($input: RollbackRunInput!) { rollbackRun(input: $input) {
      ... on RollbackRunSuccess { run { id } } ... on UserError { message } } }`;
    const { rollbackRun } = await workspace.api.ask(query, { input: { runId: first.id } });
    const manual = await waitUntil(async () => {
      const found = (await rollbacksOf(workspace)).find((run) => run.id === rollbackRun.run?.id);
      return found?.failure === null ? undefined : found;
    }, PATIENCE_MS);
    note(manual.failure, { stage: "ROLLBACK", code: "MANUAL_ROLLBACK_FAILED", cause: "PLAN_FAILED" });
  });
});

async function rollbacksOf(workspace: TestWorkspace): Promise<Data[]> {
  const query = `query ($id: ID!) { workspace(by: { id: $id }) { runs { edges { node { id trigger
    failure { code stage category cause } } } } } }`;
  const { workspace: read } = await workspace.api.ask(query, { id: workspace.id });
  return read.runs.edges.map(({ node }: Data) => node).filter(({ trigger }: Data) => trigger === "ROLLBACK");
}

/** After the others: no runner makes a folder for a job meanwhile. */
it("a run fails by a disk of its runner that takes no folder", { timeout: PATIENCE_MS }, async () => {
  const workspace = await holdpoint.workspace("disk", { "main.tf": data("a") });
  const folder = join(holdpoint.server.dataDir, "runner");
  const below = (await readdir(folder, { recursive: true })).filter((path) => /(?:^|\/)jobs$/.test(path));
  expect(below).not.toEqual([]);
  const jobs = below.map((path) => join(folder, path));
  for (const path of jobs) {
    await rename(path, `${path}.away`);
    await writeFile(path, "not a folder");
  }
  try {
    const { failure } = await workspace.runToEnd({ kind: "UNLOCK" }, "FAILED");
    note(failure as Data, { stage: "UNKNOWN", category: "UNKNOWN_FAILURE", code: "DEPLOYMENT_FAILED_GENERIC" });
  } finally {
    for (const path of jobs) {
      await rm(path);
      await rename(`${path}.away`, path);
    }
  }
});

it("all of them were produced", () => {
  const missing = (key: string, all: readonly string[]): string[] => {
    return all.filter((each) => !produced.some((failure) => failure[key] === each));
  };
  expect({
    stages: missing("stage", STAGES),
    categories: missing("category", CATEGORIES),
    codes: missing("code", CODES),
  }).toEqual({ stages: [], categories: [], codes: [] });
  expect([STAGES.length, CATEGORIES.length, CODES.length]).toEqual([11, 7, 8]);
});
