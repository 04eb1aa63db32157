/** Each route beside GraphQL, by callers who lack what it takes, and by callers to whom its subject is hidden. */
import { randomUUID } from "node:crypto";
import { createFiguresReader } from "../../src/domain/figures/read-figures.ts";
import type { Permission } from "../../src/model/people/permission-set.ts";
import type { Api } from "../support/api.ts";
import { planWith } from "../support/policy-steps.ts";
import { allBut, callerWith } from "./callers.ts";
import { type Probe, type WalkScene, withoutIds } from "./walk-scene.ts";

interface Ask {
  method: string;
  /** With `:id` for the object. */
  path: string;
  body?: string;
}

interface Route {
  name: string;
  permission: Permission;
  ask: Ask;
}

interface Answer {
  status: number;
  text: string;
}

const LOCK = { ID: "lock", Operation: "OperationTypePlan", Info: "", Who: "ann", Version: "", Created: "", Path: "" };
const STATE = { version: 4, terraform_version: "1.9.0", serial: 9, lineage: "line", outputs: {}, resources: [] };
/** It is read only once the caller is admitted. */
const NO_STATE = "no state";

export async function routeProbes(walk: WalkScene): Promise<Probe[]> {
  const { scene } = walk;
  const name = `w-${randomUUID()}`;
  const workspaceId = await scene.createWorkspace({ name });
  const admin: Send = (ask) => send(walk, scene.api, ask);
  const imported = await admin({
    method: "POST",
    path: `/workspaces/${workspaceId}/state`,
    body: JSON.stringify(STATE),
  });
  if (imported.status >= 300) throw new Error(imported.text);
  const runId = await scene.createRun(workspaceId);
  const { planId } = await planWith(scene, await scene.createWorkspace(), null);
  const document = { method: "GET", path: `/plans/${planId}/policy-input` };
  const changes = { method: "GET", path: `/plans/${planId}/changes` };
  const [state] = await scene.rows("select id from state_version where workspace_id = $1", workspaceId);
  const lock = JSON.stringify(LOCK);
  const backend = `/state/default/${name}`;
  const places: Route[] = [
    { name: "readState", permission: "STATE_READ", ask: { method: "GET", path: backend } },
    { name: "lockState", permission: "STATE_LOCK", ask: { method: "LOCK", path: backend, body: lock } },
    { name: "unlockState", permission: "STATE_LOCK", ask: { method: "UNLOCK", path: backend, body: lock } },
    { name: "writeState", permission: "STATE_WRITE", ask: { method: "POST", path: `${backend}?ID=l`, body: NO_STATE } },
    { name: "downloadState", permission: "STATE_READ", ask: { method: "GET", path: `/state-versions/${state["id"]}` } },
    {
      name: "importState",
      permission: "STATE_WRITE",
      ask: { method: "POST", path: `/workspaces/${workspaceId}/state`, body: NO_STATE },
    },
  ];
  const nowhere = await walk.machine();
  const elsewhere = await callerWith(walk, { [await scene.createWorkspace()]: allBut() });
  const writes = JSON.stringify({ ...LOCK, Operation: "OperationTypeApply" });
  const compareWithAbsent = async (ask: Ask): Promise<string | null> => {
    const [hidden, absent] = [await send(walk, elsewhere, ask), await send(walk, elsewhere, absentOf(ask))];
    const same = withoutIds(hidden.text) === withoutIds(absent.text);
    return hidden.status === 404 && same ? null : `${hidden.text} instead of ${absent.text}`;
  };
  return [
    { name: "readChanges of a hidden plan", run: () => compareWithAbsent(changes) },
    ...places.flatMap(({ name: route, permission, ask }): Probe[] => [
      {
        name: `${route} without ${permission}`,
        async run() {
          const api = await walk.having(allBut(permission));
          const trace = await walk.traceOf(async () => void (await send(walk, api, ask)));
          // Who may not do it waits for no one, and no one waits for it.
          const locks = trace.filter((text) => /for (?:no key )?update/i.test(text) && text.includes("workspace"));
          return locks.length > 0 ? `locks: ${locks.join()}` : refusal(await send(walk, api, ask), 403, permission);
        },
      },
      {
        name: `${route} without the sight of workspaces`,
        run: async () => refusal(await send(walk, nowhere, ask), 403, "WORKSPACE_READ"),
      },
      {
        name: `${route} of a hidden workspace`,
        run: () => compareWithAbsent(ask),
      },
    ]),
    {
      name: "lockState for changes without STATE_WRITE",
      async run() {
        const api = await walk.having(allBut("STATE_WRITE"));
        return refusal(await send(walk, api, { method: "LOCK", path: backend, body: writes }), 403, "STATE_WRITE");
      },
    },
    {
      name: "unlockState of another actor without STATE_LOCK_FORCE",
      async run() {
        await admin({ method: "LOCK", path: backend, body: lock });
        const api = await walk.having(allBut("STATE_LOCK_FORCE"));
        return refusal(await send(walk, api, { method: "UNLOCK", path: backend, body: lock }), 403, "STATE_LOCK_FORCE");
      },
    },
    {
      name: "readPolicyInput without PLAN_APPROVE",
      run: async () =>
        refusal(await send(walk, await walk.having(allBut("PLAN_APPROVE")), document), 403, "PLAN_APPROVE"),
    },
    {
      name: "readPolicyInput without the sight of runs",
      run: async () => refusal(await send(walk, nowhere, document), 403, "RUN_READ"),
    },
    {
      name: "readPolicyInput of a hidden plan",
      run: async () => refusal(await send(walk, elsewhere, document), 404, "plan"),
    },
    {
      name: "uploadSource without SOURCE_UPLOAD",
      async run() {
        const api = await walk.having(allBut("SOURCE_UPLOAD"));
        return refusal(
          await send(walk, api, { method: "POST", path: "/sources", body: "no archive" }),
          403,
          "SOURCE_UPLOAD",
        );
      },
    },
    {
      name: "figures without FIGURES_READ",
      async run() {
        const caller = await scene.server.domain.authenticate((await walk.having(allBut("FIGURES_READ"))).token);
        if (caller === null) throw new Error("The token is not in force.");
        const figures = Promise.try(createFiguresReader(scene.server.deps), caller);
        const error = await figures.then(
          () => "figures",
          (refused: unknown) => String(refused),
        );
        return error.includes("FIGURES_READ") ? null : error;
      },
    },
    {
      name: "the log of a hidden run",
      run: async () => refusal(await send(walk, elsewhere, { method: "GET", path: `/runs/${runId}/log` }), 404, "run"),
    },
  ];

  function absentOf(ask: Ask): Ask {
    return { ...ask, path: ask.path.replace(name, "absent").replace(/_[0-9a-z]{26}\b/, "_0000000000000000000000zzzz") };
  }
}

type Send = (ask: Ask) => Promise<Answer>;

async function send({ scene }: WalkScene, api: Api, { method, path, body }: Ask): Promise<Answer> {
  const isBackend = path.startsWith("/state/");
  const authorization = isBackend ? `Basic ${btoa(`user:${api.token}`)}` : `Bearer ${api.token}`;
  const headers = { authorization, "content-type": "application/json" };
  const answer = await fetch(`${scene.server.url}${path}`, { method, headers, ...(body !== undefined && { body }) });
  return { status: answer.status, text: await answer.text() };
}

const refusal = ({ status, text }: Answer, wanted: number, word: string): string | null =>
  status === wanted && text.includes(word) ? null : `${status} ${text.slice(0, 300)} instead of ${wanted} ${word}`;
