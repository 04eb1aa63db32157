/** The errors and warnings of engines, as plans and runs show them. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Diagnostic } from "../../src/model/plan/diagnostic.ts";
import { WARNING } from "../support/diagnostics.ts";
import { openScene, report, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const FIELDS = "diagnostics { severity summary detail address file line snippet logLine }";
const warning = (summary: string): Diagnostic => ({ ...WARNING, summary });
const ERROR: Diagnostic = {
  severity: "ERROR",
  summary: "no",
  detail: null,
  address: null,
  file: null,
  line: null,
  snippet: null,
  logLine: null,
};

async function read(id: string) {
  const query = `query ($id: ID!) { run(id: $id) { ${FIELDS} plans { ${FIELDS} } } }`;
  return (await scene.api.ask(query, { id })).run;
}

it("are those of the newest plan and of what failed, and each plan keeps its own", async () => {
  const runId = await scene.createRun(await scene.createWorkspace());
  await (await scene.claim(runId)).plan({ diagnostics: [warning("first"), warning("again")] });
  expect((await read(runId)).diagnostics).toEqual([warning("first"), warning("again")]);
  await scene.send("replanRun", { runId, planVersion: 1 });
  await (await scene.claim(runId)).plan({ diagnostics: [warning("second")] });
  expect(await read(runId)).toEqual({
    diagnostics: [warning("second")],
    plans: [{ diagnostics: [warning("first"), warning("again")] }, { diagnostics: [warning("second")] }],
  });
  await scene.send("replanRun", { runId, planVersion: 2 });
  const job = await scene.claim(runId);
  await job.message({ type: "prepared" });
  await job.message({ type: "failed", failure: { ...report("PLAN_FAILED"), diagnostics: [ERROR] } });
  expect((await read(runId)).diagnostics).toEqual([warning("second"), ERROR]);
});

it("are none where the engine had none, and where the runner lists none", async () => {
  const runId = await scene.createRun(await scene.createWorkspace());
  await (await scene.claim(runId)).plan();
  expect(await read(runId)).toEqual({ diagnostics: [], plans: [{ diagnostics: [] }] });
});
