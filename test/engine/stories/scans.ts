/** DETECT hooks that find out what a workspace deploys. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Data } from "../../support/api.ts";
import { data, type Holdpoint, PATIENCE_MS, type TestWorkspace } from "../../e2e/holdpoint.ts";
import { sharedHoldpoint } from "../../e2e/shared-holdpoint.ts";

let holdpoint: Holdpoint;
beforeAll(async () => {
  holdpoint = await sharedHoldpoint();
});

const detects = (scan: string): object[] => [
  { stage: "BEFORE_PLAN", purpose: "DETECT", command: `printf '%s' '${scan}' > "$HOLDPOINT_SCAN_FILE"` },
];

async function scanOf(workspace: TestWorkspace, id: string): Promise<Data> {
  const query = `query ($id: ID!) { run(id: $id) { failure { code stage summary }
    scan { status shape hasStartCommand units summary } workspace { deployShape hasStartCommand deployTarget } } }`;
  return (await workspace.api.ask(query, { id })).run;
}

describe.concurrent("a DETECT hook", { timeout: PATIENCE_MS }, () => {
  it("finds the shape of the deployment, which people may overrule", async () => {
    const workspace = await holdpoint.workspace("scan-found", { "main.tf": data("a") });
    const scan = { shape: "static-build", hasStartCommand: true, units: ["web"], build: "passed", summary: "Vite." };
    await workspace.update({ hooks: detects(JSON.stringify(scan)) });
    const { id } = await workspace.plan();
    const found = await scanOf(workspace, id);
    expect(found.scan).toEqual({ ...scan, build: undefined, shape: "STATIC_BUILD", status: "PASSED" });
    expect(found.workspace).toEqual({ deployShape: "STATIC_BUILD", hasStartCommand: true, deployTarget: "ECS" });
    await workspace.update({ hasStartCommand: false });
    expect((await scanOf(workspace, id)).workspace).toMatchObject({ deployShape: "STATIC_BUILD", deployTarget: "S3" });
  });

  it("fails its run with a scan that cannot be taken", async () => {
    const workspace = await holdpoint.workspace("scan-bad", { "main.tf": data("a") });
    await workspace.update({ hooks: detects('{"shape": "LAMBDA"}') });
    const { id } = await workspace.runToEnd({}, "FAILED");
    const bad = await scanOf(workspace, id);
    expect(bad.failure).toMatchObject({ code: "HOOK_FAILED", stage: "DETECT" });
    expect(bad.failure.summary).toContain("shape: must be one of STATIC, STATIC_BUILD, SERVER, MULTI, EXISTING_DOCKER");
    expect(bad.scan).toMatchObject({ status: "SKIPPED", shape: null, units: [] });
  });
});
