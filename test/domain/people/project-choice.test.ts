/** Callers whose rights are in one project create workspaces there, and are told to name it. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openWalkScene, type WalkScene } from "../../access/walk-scene.ts";

let walk: WalkScene;
let projectId: string;
beforeAll(async () => {
  walk = await openWalkScene();
  const input = { organizationId: walk.organizationId, name: "apart" };
  projectId = (await walk.make("createProject", input, "project { id }")).project.id;
});
afterAll(() => walk[Symbol.asyncDispose]());

const create = async (more: object = {}) => {
  const api = await walk.machine("WRITER", projectId);
  const source = { directory: { path: `${walk.scene.server.sourceRoot}/source` } };
  return walk.send(api, "createWorkspace", { name: "made", source, ...more });
};

const REMEDY = "Without `projectId` a workspace goes into the project `default`: name one in which you may create";

it("says that a project has to be named", async () => {
  expect(await create()).toMatchObject({ code: "FORBIDDEN", message: expect.stringContaining(REMEDY) });
});

it("says it where the default project is isolated as well", async () => {
  const isolate = (isolated: boolean) =>
    walk.scene.rows("update project set isolated = $1 where name = 'default'", isolated);
  await isolate(true);
  expect(await create()).toMatchObject({ code: "FORBIDDEN", message: expect.stringContaining(REMEDY) });
  await isolate(false);
});

it("creates it in the project that is named", async () => {
  expect(await create({ projectId })).toMatchObject({ __typename: "CreateWorkspaceSuccess" });
});
