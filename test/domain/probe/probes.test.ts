import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sealSecretOutputs } from "../../../src/domain/variables/secret-outputs.ts";
import { listProbes } from "../../../src/persistence/probe/probe-store.ts";
import type { Output } from "../../../src/model/workspace/workspace.ts";
import type { Api, Data } from "../../support/api.ts";
import { httpTarget } from "../../support/probe-targets.ts";
import { openScene, type Scene } from "../scene.ts";

const CANARY = "canary-7a3e";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
});
afterAll(() => scene[Symbol.asyncDispose]());

const PROBE = `name kind use weight from target method paths headerNames hasBody serverName followRedirects
  intervalSeconds timeoutMs expect { statuses bodyContains expression maxLatencyMs certificateDays }`;
const ISSUES = "... on UserError { code message } ... on InvalidInputError { issues { path message } }";

async function setProbes(workspaceId: string, probes: unknown, api: Api = scene.api): Promise<Data> {
  const answer = await api.ask(
    `mutation ($input: UpdateWorkspaceInput!) { updateWorkspace(input: $input) { __typename ${ISSUES}
      ... on UpdateWorkspaceSuccess { workspace { probes { ${PROBE} } } } } }`,
    { input: { workspaceId, probes } },
  );
  return answer.updateWorkspace;
}

async function tryProbe(workspaceId: string, probe: object): Promise<Data> {
  const answer = await scene.api.ask(
    `mutation ($input: TestProbeInput!) { testProbe(input: $input) { __typename ${ISSUES}
      ... on TestProbeSuccess { problem targets { address ok latencyMs failure reason } } } }`,
    { input: { workspaceId, probe } },
  );
  return answer.testProbe;
}

const web = { name: "web", kind: "HTTP", from: "SERVER", target: "{{outputs.url}}" };

/** Gives a workspace a state with these outputs. */
async function giveOutputs(
  workspaceId: string,
  outputs: Record<string, { value: string; sensitive: boolean }>,
): Promise<void> {
  const { deps } = scene.server;
  const [blobId, stateId, at] = [deps.newId("blob"), deps.newId("stateVersion"), deps.clock().toISOString()];
  const shown: Output[] = Object.entries(outputs).map(([name, { value, sensitive }]) => ({
    name,
    value: sensitive ? null : value,
    sensitive,
  }));
  await scene.rows(
    "insert into blob (id, kind, workspace_id, digest, size, created_at) values ($1, 'STATE', $2, 'd', 0, $3)",
    blobId,
    workspaceId,
    at,
  );
  await scene.rows(
    `insert into state_version (id, workspace_id, serial, lineage, blob_id, outputs, secret_outputs_sealed, created_at, imported_by)
     values ($1, $2, 1, 'l', $3, $4, $5, $6, 'sys_00000000000000000000000000')`,
    stateId,
    workspaceId,
    blobId,
    JSON.stringify(shown),
    sealSecretOutputs(deps, stateId, outputs, shown),
    at,
  );
}

describe("setting probes", () => {
  it("shows them without their secrets, which are sealed", async () => {
    const workspaceId = await scene.createWorkspace();
    const headers = [{ name: "Authorization", value: `Bearer ${CANARY}` }];
    const api = {
      name: "api",
      kind: "GRAPHQL",
      target: "https://shop.example.com/graphql",
      headers,
      body: `{ a(key: "${CANARY}") }`,
      variables: { key: CANARY },
      expect: { expression: "data.a" },
    };
    const { workspace } = await setProbes(workspaceId, [api, { ...web, expect: { statuses: ["204"] } }]);
    expect(workspace.probes).toMatchObject([
      { name: "api", headerNames: ["Authorization"], hasBody: true, use: "BOTH", weight: "REQUIRED", from: "RUNNERS" },
      { name: "web", headerNames: [], hasBody: false, intervalSeconds: 30, expect: { statuses: ["204"] } },
    ]);
    expect(JSON.stringify(workspace)).not.toContain(CANARY);
    const [{ rows = "" } = {}] = await scene.rows("select string_agg(p::text, '') as rows from probe p");
    expect(rows).toContain("shop.example.com");
    expect(rows).not.toContain(CANARY);
  });

  it("records a change once", async () => {
    const workspaceId = await scene.createWorkspace();
    const changes = async (): Promise<unknown[]> =>
      scene.rows("select id from workspace_event where workspace_id = $1 and 'probes' = any(fields)", workspaceId);
    const headers = [{ name: "x", value: "1" }];
    await setProbes(workspaceId, [{ ...web, headers }]);
    await setProbes(workspaceId, [{ ...web, headers }]);
    expect(await changes()).toHaveLength(1);
    await setProbes(workspaceId, [{ ...web, headers: [{ name: "x", value: "2" }] }]);
    expect(await changes()).toHaveLength(2);
    expect((await setProbes(workspaceId, [])).workspace.probes).toEqual([]);
  });

  it.each([
    [null, "probes", "give an empty list"],
    [Array.from({ length: 21 }, (_, n) => ({ ...web, name: `p${n}` })), "probes", "at most 20 entries"],
    [[web, { ...web, name: "fast", intervalSeconds: 1 }], "probes.1.intervalSeconds", "from 10 to 3600"],
    [[{ ...web, expect: { expression: "status ==" } }], "probes.0.expect.expression", ""],
    [[{ ...web, expect: { expression: "data.a" } }], "probes.0.expect.expression", 'no variable "data"'],
    [[{ ...web, target: "http://[::ffff:169.254.169.254]/" }], "probes.0.target", "HOLDPOINT_PROBE_ALLOW"],
    [[{ ...web, kind: "TCP", target: "10.0.0.1:80" }], "probes.0.target", "set from to RUNNERS"],
  ])("refuses %o", async (probes, path, words) => {
    const refused = await setProbes(await scene.createWorkspace(), probes);
    expect(refused).toMatchObject({ __typename: "InvalidInputError", issues: [{ path: path.split(".") }] });
    expect(refused.issues[0].message).toContain(words);
  });

  it("keeps the secrets of a probe that is changed or renamed, for its receiver alone", async () => {
    const workspaceId = await scene.createWorkspace();
    const headers = [{ name: "Authorization", value: `Bearer ${CANARY}` }];
    const site = { name: "site", kind: "HTTP", target: "https://shop.example.com/ready", method: "POST" };
    await setProbes(workspaceId, [{ ...site, headers, body: CANARY }, web]);
    const kept = { ...site, name: "shop", target: "https://shop.example.com/health", secretsOf: "site" };
    const { workspace } = await setProbes(workspaceId, [web, kept]);
    expect(workspace.probes).toMatchObject([
      { name: "web", hasBody: false },
      { name: "shop", headerNames: ["Authorization"], hasBody: true, target: "https://shop.example.com/health" },
    ]);
    const { deps } = scene.server;
    const [probes = []] = await listProbes(deps.database, deps.cipher, [workspaceId]);
    expect(probes[1]).toMatchObject({ headers, body: CANARY, variables: null });
    const again = { ...kept, secretsOf: "shop" };
    const refusals = [
      [{ ...kept, secretsOf: "site" }, "secretsOf", "must be the name of a probe"],
      [{ ...again, target: "https://elsewhere.example.com/health" }, "target", "give them again"],
      [{ ...again, target: "http://shop.example.com/health" }, "target", "give them again"],
      [{ ...again, from: "SERVER" }, "from", "give them again"],
      [{ ...again, followRedirects: true }, "followRedirects", "give them again"],
      [{ ...again, headers }, "secretsOf", "must be absent"],
    ] as const;
    for (const [probe, field, words] of refusals) {
      const issues = [{ path: ["probes", "0", field], message: expect.stringContaining(words) }];
      expect(await setProbes(workspaceId, [probe])).toMatchObject({ __typename: "InvalidInputError", issues });
      expect(await tryProbe(workspaceId, probe)).toMatchObject({
        __typename: "InvalidInputError",
        issues: [{ path: ["probe", field], message: expect.stringContaining(words) }],
      });
    }
    expect(await setProbes(workspaceId, [again])).toMatchObject({ __typename: "UpdateWorkspaceSuccess" });
  });

  it("takes the permission for hooks for commands alone", async () => {
    const workspaceId = await scene.createWorkspace();
    const writer = await scene.login("WRITER");
    const command = { name: "shell", kind: "COMMAND", use: "VERIFY", target: "true" };
    expect(await setProbes(workspaceId, [web], writer)).toMatchObject({ __typename: "UpdateWorkspaceSuccess" });
    expect(await setProbes(workspaceId, [command], writer)).toMatchObject({ __typename: "ForbiddenError" });
    expect(await setProbes(workspaceId, [command])).toMatchObject({ __typename: "UpdateWorkspaceSuccess" });
  });
});

describe("trying a probe", () => {
  it("sends a request to the newest outputs, and keeps nothing", async () => {
    const seen: unknown[] = [];
    const target = await httpTarget((request, response) => {
      seen.push([request.url, request.headers["x-token"], request.headers["x-key"]]);
      response.end(CANARY);
    });
    const workspaceId = await scene.createWorkspace();
    const url = `http://127.0.0.1:${target.port}/ready`;
    await giveOutputs(workspaceId, {
      url: { value: url, sensitive: false },
      token: { value: CANARY, sensitive: true },
    });
    await scene.api.ask(`mutation ($input: SetVariableInput!) { setVariable(input: $input) { __typename } }`, {
      input: { workspaceId, key: "KEY", value: `${CANARY}-key`, sensitive: true, category: "ENVIRONMENT" },
    });
    const headers = [
      { name: "x-token", value: "{{outputs.token}}" },
      { name: "x-key", value: "{{var.KEY}}" },
    ];
    const tried = await tryProbe(workspaceId, { ...web, headers, expect: { expression: "json == null" } });
    expect(tried).toMatchObject({ problem: null, targets: [{ address: url, ok: true, failure: null, reason: null }] });
    expect(seen).toEqual([["/ready", CANARY, `${CANARY}-key`]]);
    const failed = await tryProbe(workspaceId, { ...web, expect: { bodyContains: "other" } });
    expect(failed.targets).toMatchObject([{ ok: false, failure: "BODY" }]);
    expect(JSON.stringify([tried, failed])).not.toContain(CANARY);
    expect(await scene.rows("select name from probe where workspace_id = $1", workspaceId)).toEqual([]);
  });

  it("sends the secrets that it keeps from the stored probe", async () => {
    const seen: unknown[] = [];
    const target = await httpTarget((request, response) => {
      seen.push([request.url, request.headers["x-key"]]);
      response.end();
    });
    const workspaceId = await scene.createWorkspace();
    const site = { ...web, target: `http://127.0.0.1:${target.port}/ready` };
    const { workspace } = await setProbes(workspaceId, [{ ...site, headers: [{ name: "x-key", value: CANARY }] }]);
    expect(workspace.probes).toHaveLength(1);
    const changed = { ...site, target: `http://127.0.0.1:${target.port}/health`, secretsOf: "web" };
    expect((await tryProbe(workspaceId, changed)).targets).toMatchObject([{ ok: true }]);
    expect(seen).toEqual([["/health", CANARY]]);
  });

  it("says why nothing was tried", async () => {
    const workspaceId = await scene.createWorkspace();
    await giveOutputs(workspaceId, { secret: { value: "http://a/", sensitive: true } });
    const problemOf = async (probe: object): Promise<unknown> =>
      (await tryProbe(workspaceId, { ...web, ...probe })).problem;
    expect(await problemOf({})).toBe('There is no output "url".');
    expect(await problemOf({ target: "{{outputs.secret}}" })).toMatch(/is sensitive/);
    expect(await problemOf({ from: "RUNNERS", target: "http://10.0.0.7/" })).toMatch(/^No runner .* sends probes/);
    expect(await problemOf({ kind: "CHECKS", use: "VERIFY", target: "" })).toMatch(/after an apply alone/);
  });

  it("keeps the password of the source", async () => {
    const workspaceId = await scene.createWorkspace();
    await scene.api.ask(`mutation ($input: SetVariableInput!) { setVariable(input: $input) { __typename } }`, {
      input: { workspaceId, key: "HOLDPOINT_GIT_PASSWORD", value: CANARY, sensitive: true, category: "ENVIRONMENT" },
    });
    const headers = [{ name: "x", value: "{{var.HOLDPOINT_GIT_PASSWORD}}" }];
    const tried = await tryProbe(workspaceId, { ...web, target: "http://127.0.0.1:1/", headers });
    expect(tried.problem).toBe('There is no variable "HOLDPOINT_GIT_PASSWORD".');
  });

  it("names the fields of bad input, and connects to no internal address that an output names", async () => {
    const workspaceId = await scene.createWorkspace();
    expect(await tryProbe(workspaceId, { ...web, timeoutMs: 1 })).toMatchObject({
      issues: [{ path: ["probe", "timeoutMs"] }],
    });
    await giveOutputs(workspaceId, { url: { value: "http://169.254.169.254/latest", sensitive: false } });
    const { targets } = await tryProbe(workspaceId, web);
    expect(targets).toMatchObject([{ ok: false, failure: "ADDRESS_REFUSED" }]);
  });
});
