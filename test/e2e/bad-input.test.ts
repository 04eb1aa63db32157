/** What people get wrong: a clear answer each, and the server goes on. */
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Data } from "../support/api.ts";
import { type RunInput, tryCommand } from "../support/run-steps.ts";
import { data, type Holdpoint, startHoldpoint, TestWorkspace, type VariableInput, writeFiles } from "./holdpoint.ts";
import { expectUnharmed, refusalOf } from "./raw-request.ts";

const UNKNOWN = `_${"0".repeat(26)}`;

let holdpoint: Holdpoint;
let workspace: TestWorkspace;
beforeAll(async () => {
  // None of this needs an engine at work.
  holdpoint = await startHoldpoint({ HOLDPOINT_RUNNER_SLOTS: "0", HOLDPOINT_LOG_LEVEL: "info" });
  workspace = await holdpoint.workspace("fine", { "main.tf": data("a") });
});
afterAll(() => holdpoint[Symbol.asyncDispose]());
afterEach(() => expectUnharmed(holdpoint));

async function createWorkspace(input: Record<string, unknown>): Promise<Data> {
  const query = `mutation ($input: CreateWorkspaceInput!) { createWorkspace(input: $input) {
    ... on CreateWorkspaceSuccess { workspace { id } } ... on UserError { code message }
    ... on InvalidInputError { issues { path message } } } }`;
  return (await holdpoint.api.ask(query, { input })).createWorkspace;
}

describe("ids", () => {
  const IDS = [
    "",
    "x",
    "run",
    "run_",
    `run${UNKNOWN}`,
    `ws${UNKNOWN}`,
    `nope${UNKNOWN}`,
    "run_\0",
    "'; drop table run; --",
    "ü".repeat(50_000),
  ];

  it.each(IDS)("%#: reads nothing", async (id) => {
    const query = `query ($id: ID!) { node(id: $id) { id } nodes(ids: [$id]) { id } run(id: $id) { id }
      workspace(by: { id: $id }) { id } }`;
    expect(await holdpoint.api.ask(query, { id })).toEqual({ node: null, nodes: [null], run: null, workspace: null });
  });

  it.each(IDS)("%#: changes nothing", async (id) => {
    for (const [name, more] of [
      ["approveRun", { gate: "PLAN", planVersion: 1 }],
      ["rejectRun", { planVersion: 1 }],
      ["discardRun", {}],
      ["cancelRun", { force: true }],
      ["replanRun", { planVersion: 1 }],
    ] as const) {
      expect(await tryCommand(holdpoint.api, name, { runId: id, ...more })).toMatchObject({ code: "NOT_FOUND" });
    }
    expect(await workspaceOf(id).tryToCreateRun()).toMatchObject({ code: "NOT_FOUND" });
    await expect(workspaceOf(id).setVariable({ key: "a", value: "b" })).rejects.toThrow("NOT_FOUND");
    const query = `mutation ($id: ID!) { unlockWorkspace(input: { workspaceId: $id, force: true }) {
      ... on UserError { code } } revokeToken(input: { tokenId: $id }) { ... on UserError { code } } }`;
    expect(await holdpoint.api.ask(query, { id })).toEqual({
      unlockWorkspace: { code: "NOT_FOUND" },
      revokeToken: { code: "NOT_FOUND" },
    });
  });

  it.each(IDS)("%#: streams nothing", async (id) => {
    await using events = holdpoint.api.subscribe("subscription ($id: ID!) { runEvents(runId: $id) { __typename } }", {
      id,
    });
    await expect(events.next()).rejects.toThrow("NOT_FOUND");
    await using log = holdpoint.api.subscribe("subscription ($id: ID!) { runLog(runId: $id) { __typename } }", { id });
    await expect(log.next()).rejects.toThrow("NOT_FOUND");
  });

  it("finds nothing by names and filters that cannot be", async () => {
    for (const name of ["", "\0", "%", "ü".repeat(1000)]) {
      const query = `query ($name: String!) {
        organization(slug: $name) { id }
        byName: workspace(by: { path: { organization: "default", name: $name } }) { id }
        byOrganization: workspace(by: { path: { organization: $name, name: "fine" } }) { id }
      }`;
      expect(await holdpoint.api.ask(query, { name })).toEqual({
        organization: null,
        byName: null,
        byOrganization: null,
      });
    }
    const source = { directory: { path: workspace.path } };
    expect(await createWorkspace({ organization: "\0", name: "a", source })).toMatchObject({ code: "NOT_FOUND" });
    expect(await createWorkspace({ name: "a", source, description: "\0" })).toMatchObject({ code: "INVALID_INPUT" });
    const [answer] = Object.values(
      await holdpoint.api.ask(
        "mutation ($name: String!) { createToken(input: { name: $name, role: READER }) { ... on UserError { code } } }",
        { name: "\0" },
      ),
    );
    expect(answer).toEqual({ code: "INVALID_INPUT" });
  });

  it("refuses malformed cursors, pages and lists of ids", async () => {
    const run = await workspace.createRun();
    for (const page of ["first: -1", "first: 101", "first: 1, last: 1", 'after: "nonsense"', 'before: ""']) {
      const error = await refusalOf(holdpoint, `{ runs(${page}) { edges { cursor } } }`);
      expect(error.extensions.code, page).toBe("INVALID_INPUT");
    }
    for (const page of ["first: 5001", 'after: "AAAA"', "last: -1"]) {
      const error = await refusalOf(
        holdpoint,
        `query ($id: ID!) { run(id: $id) { log(${page}) { edges { cursor } } } }`,
        {
          id: run,
        },
      );
      expect(error.extensions.code, page).toBe("INVALID_INPUT");
    }
    const ids = Array.from({ length: 101 }, () => `run${UNKNOWN}`);
    const error = await refusalOf(holdpoint, "query ($ids: [ID!]!) { nodes(ids: $ids) { id } }", { ids });
    expect(error.extensions).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["ids"] }] });
    await using events = holdpoint.api.subscribe(
      `subscription ($id: ID!) { runEvents(runId: $id, after: "nonsense") { ... on CursorExpired { message } } }`,
      { id: run },
    );
    expect((await events.next()).value.runEvents.message).toEqual(expect.any(String));
    await tryCommand(holdpoint.api, "cancelRun", { runId: run });
  });
});

const workspaceOf = (id: string): TestWorkspace => new TestWorkspace(holdpoint.api, "", id);

describe("workspaces", () => {
  it.each(["", "A", "-a", ".a", "_a", "a b", "ä", "a/b", "../a", "a\0", "a\n", "a".repeat(91), "a".repeat(100_000)])(
    "%#: refuses the name",
    async (name) => {
      const answer = await createWorkspace({ name, source: { directory: { path: workspace.path } } });
      expect(answer).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["name"] }] });
    },
  );

  it("takes every name within the rule, once", async () => {
    const source = { directory: { path: workspace.path } };
    for (const name of ["0", "a-b_c.d", "a".repeat(90)]) {
      expect(await createWorkspace({ name, source })).toHaveProperty("workspace.id");
      expect(await createWorkspace({ name, source })).toMatchObject({ code: "NAME_TAKEN" });
    }
    expect(await createWorkspace({ organization: "nope", name: "a", source })).toMatchObject({ code: "NOT_FOUND" });
  });

  it("refuses paths that are not folders below the roots", async () => {
    const { root } = holdpoint;
    await symlink("/etc", join(root, "out"));
    await symlink("..", join(root, "up"));
    await writeFile(join(root, "file"), "");
    const paths = ["..", "../..", "/", "/etc", `${root}/..`, `${root}/../..${root}x`, "fine/../..", "nowhere"];
    for (const path of [
      ...paths,
      "out",
      join(root, "out"),
      "up",
      "file",
      "fine/main.tf",
      `${root}\0`,
      "~",
      "x".repeat(70_000),
    ]) {
      const answer = await createWorkspace({ name: "outside", source: { directory: { path } } });
      expect(answer, path.slice(0, 100)).toMatchObject({
        code: "INVALID_INPUT",
        issues: [{ path: ["source", "directory", "path"] }],
      });
      expect(answer.issues[0].message).not.toMatch(/ENOENT|EACCES|passwd/);
    }
  });

  it("looks again when a run is created: links that leave the source, a folder that is gone", async () => {
    const changing = await holdpoint.workspace("changing", { "main.tf": data("a") });
    for (const [name, target] of [
      ["absolute", "/etc/passwd"],
      ["relative", "../fine/main.tf"],
      ["folder", "../.."],
    ] as const) {
      await writeFiles(changing.path, { "main.tf": data("a") });
      await symlink(target, join(changing.path, name));
      const answer = await changing.tryToCreateRun();
      expect(answer).toMatchObject({ code: "INVALID_INPUT", issues: [{ message: expect.stringContaining(name) }] });
    }
    await rm(changing.path, { recursive: true });
    expect(await changing.tryToCreateRun()).toMatchObject({ code: "INVALID_INPUT" });
    await symlink("/etc", changing.path);
    expect(await changing.tryToCreateRun()).toMatchObject({ code: "INVALID_INPUT" });
    await rm(changing.path);
    await mkdir(changing.path);
    await symlink("main.tf", join(changing.path, "inside.tf"));
    await writeFile(join(changing.path, "main.tf"), data("a"));
    expect(await changing.tryToCreateRun()).toHaveProperty("run.id");
  });

  it("refuses targets, kinds, messages and variables that cannot be used", async () => {
    for (const input of [
      { targets: ["-destroy"] },
      { targets: ["a b\n"] },
      { targets: [""] },
      { targets: ["a\0"] },
      { targets: Array.from({ length: 501 }, (_, index) => `a.b${index}`) },
      { kind: "TASK" },
      { planRunId: "run_00000000000000000000000000" },
      { command: "true" },
      { replace: ["a.b"], refreshOnly: true },
      { metadata: Array.from({ length: 51 }, (_, index) => ({ key: `k${index}`, value: "" })) },
      { priority: 101 },
      { scheduledAt: "2020-01-01T00:00:00Z" },
      { message: "x".repeat(10_001) },
      { message: "nul \0" },
      { idempotencyKey: "" },
      { idempotencyKey: "x".repeat(256) },
    ] satisfies RunInput[]) {
      expect(await workspace.tryToCreateRun(input), JSON.stringify(input).slice(0, 60)).toMatchObject({
        code: "INVALID_INPUT",
        issues: [{ path: [Object.keys(input)[0], ...("targets" in input && input.targets.length < 3 ? ["0"] : [])] }],
      });
    }
    for (const variable of [
      { key: "", value: "" },
      { key: "1a", value: "" },
      { key: "a=b", value: "", category: "ENVIRONMENT" },
      { key: "TF_HTTP_ADDRESS", value: "", category: "ENVIRONMENT" },
      { key: "a", value: "nul \0" },
      { key: "a", value: "x".repeat(256 * 1024 + 1) },
    ] satisfies VariableInput[]) {
      await expect(workspace.setVariable(variable)).rejects.toThrow("INVALID_INPUT");
    }
  });
});
