/** A run of a real engine acts on the API of the server with the grants of its workspace. */
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { builtInRoleId } from "../../../src/model/people/role.ts";
import { createApi, type Data } from "../../support/api.ts";
import { data, type Holdpoint, PATIENCE_MS, provisioner } from "../../e2e/holdpoint.ts";
import { sharedHoldpoint } from "../../e2e/shared-holdpoint.ts";

let holdpoint: Holdpoint;
beforeAll(async () => {
  holdpoint = await sharedHoldpoint();
});

/** Shows the caller, tries to create a run in another workspace, and keeps the token where only the test finds it. */
const SCRIPT = `
import { writeFileSync } from "node:fs";
const { HOLDPOINT_URL, HOLDPOINT_TOKEN, TARGET, KEPT } = process.env;
const query = \`mutation ($id: ID!) { createRun(input: { workspaceId: $id, kind: PLAN }) { __typename
  ... on CreateRunSuccess { run { id createdBy { id __typename } } } } }\`;
const send = async (body) => {
  const headers = { "content-type": "application/json", authorization: "Bearer " + HOLDPOINT_TOKEN };
  return (await fetch(HOLDPOINT_URL + "/graphql", { method: "POST", headers, body: JSON.stringify(body) })).json();
};
const who = await send({ query: "{ viewer { credential actor { id __typename } } }" });
const made = await send({ query, variables: { id: TARGET } });
writeFileSync(KEPT + "/" + process.argv[2], JSON.stringify({ token: HOLDPOINT_TOKEN, who, made }));
console.log("my token is " + HOLDPOINT_TOKEN + ", and I am " + who.data.viewer.credential);
`;

describe.concurrent("a run with grants", { timeout: PATIENCE_MS }, () => {
  it("reads while it plans, acts while it applies, and its token ends with it and is found nowhere", async () => {
    const folder = await mkdtemp(join(tmpdir(), "holdpoint-run-token-"));
    // Engines run as other users.
    await chmod(folder, 0o777);
    try {
      const target = await holdpoint.workspace("acted-on", { "main.tf": data("b") });
      const workspace = await holdpoint.workspace("acting", {
        "act.mjs": SCRIPT,
        "main.tf": data("a", provisioner("node act.mjs apply")),
      });
      for (const [key, value] of [
        ["TARGET", target.id],
        ["KEPT", folder],
      ] as const) {
        await workspace.setVariable({ key, value, category: "ENVIRONMENT" });
      }
      const hooks = [{ stage: "BEFORE_PLAN", command: "node act.mjs plan" }];
      const input = { workspaceId: workspace.id, hooks };
      await holdpoint.api.ask(
        "mutation ($input: UpdateWorkspaceInput!) { updateWorkspace(input: $input) { __typename } }",
        { input },
      );
      const grant = { principalId: workspace.id, roleId: builtInRoleId("WRITER"), scopeId: target.id };
      const { createGrant } = await holdpoint.api.ask(
        "mutation ($input: CreateGrantInput!) { createGrant(input: $input) { ... on CreateGrantSuccess { grant { runsOf { id } } } } }",
        { input: grant },
      );
      expect(createGrant.grant.runsOf.id).toBe(workspace.id);

      const run = await workspace.deploy();
      const keptBy = async (stage: string): Promise<Data> => JSON.parse(await readFile(join(folder, stage), "utf8"));
      const [planned, applied] = [await keptBy("plan"), await keptBy("apply")];
      for (const { token, who } of [planned, applied]) {
        expect(token).toMatch(/^hpx_job_/);
        expect(who.data.viewer).toMatchObject({ credential: "RUN", actor: { __typename: "MachineUser" } });
      }
      expect(planned.made.data.createRun.__typename).toBe("ForbiddenError");
      expect(applied.made.data.createRun.run.createdBy).toEqual(applied.who.data.viewer.actor);
      expect(planned.token).not.toBe(applied.token);

      for (const { token } of [planned, applied]) {
        expect((await createApi(holdpoint.api.url, token).send("{ viewer { credential } }")).status).toBe(401);
      }
      const texts = (await workspace.log(run.id)).map(({ text }) => text);
      expect(texts.filter((text) => text.includes("my token is (sensitive value), and I am RUN"))).toHaveLength(2);
      const state = await fetch(`${holdpoint.api.url}/state/default/acting`, {
        headers: { authorization: `Basic ${btoa(`admin:${holdpoint.api.token}`)}` },
      });
      const stored = await state.text();
      expect(stored).toContain("terraform_data");
      const everything = JSON.stringify([run, texts, await workspace.read(), stored]);
      for (const { token } of [planned, applied]) {
        expect(everything).not.toContain(token);
        expect(everything).not.toContain(token.split(".")[1]);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
