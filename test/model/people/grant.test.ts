import { expect, it } from "vitest";
import { SIGHT_OF_SCOPE } from "../../../src/model/people/grant.ts";
import { projectTree } from "../../../src/model/people/project-tree.ts";

it("a scope is seen by those who may read it, the installation by those who give rights", () => {
  expect(SIGHT_OF_SCOPE).toEqual({
    installation: "GRANT_WRITE",
    organization: "ORGANIZATION_READ",
    project: "PROJECT_READ",
    workspace: "WORKSPACE_READ",
  });
});

it("a tree knows its isolated projects", () => {
  const project = (id: string, isolated: boolean) => ({ id, organizationId: "org_1", parentId: null, isolated });
  expect(projectTree([project("prj_1", false), project("prj_2", true)]).isolatedIds).toEqual(["prj_2"]);
});
