/** Probes that fit the shape of a workspace: for its readers, and for those who add them. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Data } from "../../support/api.ts";
import { must } from "../../support/people-steps.ts";
import { openScene, type Scene } from "../scene.ts";

const CANARY = "https://canary-9b20.example.com/";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

/** Gives a workspace a state with these outputs. */
async function importOutputs(workspaceId: string, serial: number, outputs: object): Promise<void> {
  const sent = await fetch(`${scene.server.url}/workspaces/${workspaceId}/state`, {
    method: "POST",
    headers: { authorization: `Bearer ${scene.api.token}`, "content-type": "application/json" },
    body: JSON.stringify({ version: 4, terraform_version: "1.9.0", lineage: "line", serial, outputs, resources: [] }),
  });
  if (!sent.ok) throw new Error(await sent.text());
}

const FIELDS = "name kind use weight from target";

async function suggestions(id: string): Promise<Data> {
  const query = `query ($id: ID!) { workspace(by: { id: $id }) { suggestedProbes { ${FIELDS} outputs reason } } }`;
  return (await scene.api.ask(query, { id })).workspace.suggestedProbes;
}

const update = (workspaceId: string, changes: object) =>
  must(scene.api, "updateWorkspace", { workspaceId, ...changes }, `workspace { probes { ${FIELDS} paths } }`);

const url = (value: string, sensitive = false) => ({ url: { value, type: "string", sensitive } });

it("suggests by the shape and the outputs of now what can be added as it is", async () => {
  const workspaceId = await scene.createWorkspace();
  await importOutputs(workspaceId, 1, url("https://shop.example.com"));
  expect(await suggestions(workspaceId)).toEqual([]);
  // A hook has found it.
  await scene.rows("update workspace set found_shape = 'STATIC' where id = $1", workspaceId);
  const web = { name: "web", kind: "HTTP", use: "BOTH", weight: "INFORMATIONAL", from: "SERVER" };
  const target = "{{outputs.url}}";
  expect(await suggestions(workspaceId)).toEqual([
    { ...web, target, outputs: ["url"], reason: "Its shape is STATIC, and it has the output url." },
  ]);
  await update(workspaceId, { deployShape: "MULTI" });
  expect(await suggestions(workspaceId)).toEqual([]);
  await importOutputs(workspaceId, 2, { urls: { value: ["https://a.example.com/"], type: ["list", "string"] } });
  const [found] = await suggestions(workspaceId);
  expect(found).toMatchObject({ ...web, target: "{{outputs.urls[*]}}", outputs: ["urls"] });
  const { outputs: _outputs, reason: _reason, ...probe } = found;
  const { workspace } = await update(workspaceId, { probes: [probe] });
  expect(workspace.probes).toEqual([{ ...probe, paths: [] }]);
  expect(await suggestions(workspaceId)).toEqual([]);
  await update(workspaceId, { probes: [] });
  expect(await suggestions(workspaceId)).toEqual([found]);
});

it("suggests nothing for a sensitive output, and shows nothing of it", async () => {
  const workspaceId = await scene.createWorkspace();
  await update(workspaceId, { deployShape: "SERVER" });
  await importOutputs(workspaceId, 1, url(CANARY, true));
  expect(await suggestions(workspaceId)).toEqual([]);
  // A probe of the same address is no hint either.
  await update(workspaceId, { probes: [{ name: "web", kind: "HTTP", from: "SERVER", target: CANARY }] });
  expect(await suggestions(workspaceId)).toEqual([]);
});
