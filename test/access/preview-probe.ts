/** A preview of a push to a real repository: it shows the workspaces whose runs the caller may read, and no others. */
import { isDeepStrictEqual } from "node:util";
import { join } from "node:path";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import { type Permission, permissionSet } from "../../src/model/people/permission-set.ts";
import { defaultProjectId } from "../../src/model/people/project-tree.ts";
import { rightsOf } from "../../src/model/people/rights.ts";
import { admin } from "../domain/access/sample.ts";
import type { Scene } from "../domain/scene.ts";
import { TestRepository } from "../support/git.ts";
import { createHost, createRepository, followFolder } from "../support/repository-steps.ts";
import type { Probe } from "./walk-scene.ts";

export async function previewProbe(scene: Scene): Promise<Probe> {
  const root = join(scene.server.sourceRoot, "previewed");
  const commit = new TestRepository(join(root, "repository")).commit({ "one/main.tf": "", "two/main.tf": "" });
  const { gitHost } = await createHost(scene.api, { kind: "GIT", url: `file://${root}` });
  const { id } = await createRepository(scene.api, gitHost.id, "repository");
  await followFolder(scene.api, id, "one");
  const shown = await followFolder(scene.api, id, "two");
  const organizationId = DEFAULT_ORGANIZATION_ID;
  const projectId = defaultProjectId(organizationId);
  const only = (permission: Permission) => permissionSet([permission]);
  const rights = rightsOf([
    { permissions: only("WORKSPACE_READ"), scope: { type: "organization", organizationId } },
    { permissions: only("RUN_READ"), scope: { type: "workspace", organizationId, projectId, workspaceId: shown } },
  ]);
  return {
    name: "a preview shows workspaces whose runs the caller may read",
    async run() {
      const push = { ref: "refs/heads/main", commit };
      const found = await scene.server.domain.previewTriggers({ ...admin, rights }, id, push);
      const ids = found.map(({ workspaceId }) => workspaceId);
      return isDeepStrictEqual(ids, [shown]) ? null : `${JSON.stringify(ids)} instead of ${shown}`;
    },
  };
}
