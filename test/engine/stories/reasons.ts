/** Each stage and category of a failure, by a real engine that fails there. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { data, type Holdpoint, PATIENCE_MS } from "../../e2e/holdpoint.ts";
import { sharedHoldpoint } from "../../e2e/shared-holdpoint.ts";

let holdpoint: Holdpoint;
let refusing: Server;
let address: string;
beforeAll(async () => {
  holdpoint = await sharedHoldpoint();
  // The path of a request is the status of its answer.
  refusing = createServer((request, response) => {
    response.writeHead(Number(request.url?.slice(1))).end();
  });
  await new Promise<void>((resolve) => refusing.listen(0, "127.0.0.1", resolve));
  const { port } = refusing.address() as AddressInfo;
  address = `http://127.0.0.1:${port}`;
});
afterAll(() => refusing.close());

const CLOSED = "http://127.0.0.1:1/";
const remote = (url: string, more = "") =>
  `data "terraform_remote_state" "cloud" {\n backend = "http"\n config = { address = "${url}", retry_max = 0 }\n${more}\n}\n`;

async function failureOf(name: string, main: string, hooks: object[] = []) {
  const workspace = await holdpoint.workspace(name, { "main.tf": main });
  if (hooks.length > 0) {
    const query = `mutation ($input: UpdateWorkspaceInput!) { updateWorkspace(input: $input) { __typename } }`;
    const { updateWorkspace } = await holdpoint.api.ask(query, { input: { workspaceId: workspace.id, hooks } });
    expect(updateWorkspace).toEqual({ __typename: "UpdateWorkspaceSuccess" });
  }
  return (await workspace.runToEnd({}, "FAILED")).failure;
}

describe.concurrent("reasons", { timeout: PATIENCE_MS }, () => {
  it("a cloud that refuses credentials is a matter of authentication", async () => {
    const auth = { code: "AUTHENTICATION_FAILED", stage: "AUTH", category: "AUTH_FAILURE", retryable: false };
    const [missing, invalid] = await Promise.all([
      failureOf("reason-401", remote(`${address}/401`)),
      failureOf("reason-403", remote(`${address}/403`)),
    ]);
    expect(missing).toMatchObject({ ...auth, reason: "CREDENTIALS_MISSING" });
    expect(invalid).toMatchObject({ ...auth, reason: "CREDENTIALS_INVALID" });
  });

  it("a cloud that cannot be reached is a matter of the network, and may be tried again", async () => {
    expect(await failureOf("reason-network", remote(CLOSED))).toMatchObject({
      code: "INFRASTRUCTURE_NETWORK_FAILURE",
      reason: "NETWORK",
      stage: "PLAN",
      category: "INFRASTRUCTURE_FAILURE",
      retryable: true,
      cause: null,
    });
  });

  it("a module that cannot be fetched fails in CLONE, an engine that is too old in SETUP", async () => {
    const [clone, setup] = await Promise.all([
      failureOf("reason-clone", 'module "m" {\n source = "git::file:///nowhere/at/all"\n}\n'),
      failureOf("reason-setup", 'terraform {\n required_version = ">= 99"\n}\n'),
    ]);
    expect(clone).toMatchObject({ code: "INIT_FAILED", reason: "MODULE_SOURCE", stage: "CLONE" });
    expect(setup).toMatchObject({ reason: "ENGINE_VERSION", stage: "SETUP", category: "RUNNER_FAILURE" });
  });

  it.each([
    ["DETECT", "HOOK_FAILED", "CONFIGURATION_FAILURE"],
    ["BUILD", "CODEBUILD_DOCKER_IMAGE_BUILD_FAILED", "BUILD_FAILURE"],
    ["PUBLISH", "HOOK_FAILED", "BUILD_FAILURE"],
  ])("a hook of the purpose %s fails in its stage", async (purpose, code, category) => {
    const hooks = [{ stage: "BEFORE_PLAN", purpose, command: "exit 3" }];
    const failure = await failureOf(`reason-${purpose.toLowerCase()}`, data("a"), hooks);
    expect(failure).toMatchObject({ code, stage: purpose, category, reason: null });
  });

  it("a rollout that fails after the apply fails the run, and keeps what was applied", async () => {
    const workspace = await holdpoint.workspace("reason-rollout", { "main.tf": data("a") });
    const query = `mutation ($input: UpdateWorkspaceInput!) { updateWorkspace(input: $input) { __typename } }`;
    const hooks = [{ stage: "AFTER_APPLY", purpose: "ROLLOUT", command: "exit 3" }];
    await holdpoint.api.ask(query, { input: { workspaceId: workspace.id, hooks } });
    const { failure } = await workspace.finish((await workspace.plan()).id, 1, "FAILED");
    expect(failure).toMatchObject({
      code: "HOOK_FAILED",
      stage: "ROLLOUT",
      category: "STARTUP_FAILURE",
      appliedAddresses: ["terraform_data.a"],
      stateUncertain: false,
    });
    expect(await workspace.read()).toMatchObject({ deploymentStatus: "FAILED", lock: null, stateLock: null });
  });

  it("where something was applied the code stays, and the cause states why", async () => {
    const workspace = await holdpoint.workspace("reason-partial", {
      "main.tf": data("first") + remote(CLOSED, " depends_on = [terraform_data.first]"),
    });
    const { failure } = await workspace.finish((await workspace.plan()).id, 1, "FAILED");
    expect(failure).toMatchObject({
      code: "APPLY_PARTIAL",
      stage: "APPLY",
      reason: "NETWORK",
      cause: "INFRASTRUCTURE_NETWORK_FAILURE",
      retryable: true,
      appliedAddresses: ["terraform_data.first"],
      // The engine names no resource for this one.
      resources: [{ address: null, reason: "NETWORK" }],
    });
  });

  it("a condition that does not hold after the apply is a matter of health", async () => {
    const condition = 'lifecycle {\n postcondition {\n condition = self.output == "x"\n error_message = "No."\n }\n}';
    const workspace = await holdpoint.workspace("reason-health", {
      "main.tf": data("first") + data("second", `input = terraform_data.first.id\n${condition}`),
    });
    const { failure } = await workspace.finish((await workspace.plan()).id, 1, "FAILED");
    expect(failure).toMatchObject({ reason: "CONDITION", stage: "APPLY", category: "HEALTH_CHECK_FAILURE" });
  });
});
