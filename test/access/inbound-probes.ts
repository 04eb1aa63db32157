/** Inbound hooks, whose deliveries make runs under the rights of their owner. */
import { randomUUID } from "node:crypto";
import { createInboundHooks } from "../../src/domain/schedule/receive-hook.ts";
import { admin } from "../domain/access/sample.ts";
import { callerWith, createProject } from "./callers.ts";
import type { Probe, WalkScene } from "./walk-scene.ts";

export function inboundProbes(walk: WalkScene): Probe[] {
  const { scene, organizationId } = walk;
  const inputOf = (workspaceId: string) => ({
    organizationId,
    name: `h-${randomUUID()}`,
    kind: "PLAN",
    workspaceIds: [workspaceId],
    mapping: [],
  });
  return [
    {
      name: "createInboundHook of a hidden workspace",
      async run() {
        const workspaceId = await scene.createWorkspace({ projectId: await createProject(walk) });
        const api = await callerWith(walk, { [organizationId]: ["WEBHOOK_WRITE"] });
        const answer = await walk.send(api, "createInboundHook", inputOf(workspaceId));
        return answer.code === "INVALID_INPUT" ? null : JSON.stringify(answer);
      },
    },
    {
      name: "a delivery to a hook whose workspace was moved away from its owner",
      async run() {
        const [projectId, toProjectId] = [await createProject(walk), await createProject(walk)];
        const workspaceId = await scene.createWorkspace({ projectId });
        const api = await callerWith(walk, { [organizationId]: ["WEBHOOK_WRITE"], [projectId]: ["RUN_PLAN"] });
        const made = await walk.send(api, "createInboundHook", inputOf(workspaceId), "inboundHook { id }");
        await walk.make("moveWorkspace", { workspaceId, toProjectId }, "workspace { id }");
        const [hook] = await scene.server.domain.inboundHooks(admin, [made.inboundHook?.id]);
        if (!hook) return JSON.stringify(made);
        const accepted = await createInboundHooks(scene.server.deps).accept(hook, "one", {});
        return accepted.changesetId === null && accepted.problem !== null ? null : JSON.stringify(accepted);
      },
    },
  ];
}
