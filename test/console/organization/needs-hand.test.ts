import { expect, it } from "vitest";
import { needsHand } from "../../../src/console/organization/needs-hand.ts";

const run = (id: string, workspace: object = {}, requiredAction = "FIX_AND_RERUN") => ({
  id,
  requiredAction,
  workspace: { id: "ws_1", deploymentStatus: "FAILED", lock: null, ...workspace },
});
const idsOf = (runs: ReturnType<typeof run>[]): string[] => needsHand(runs).map(({ id }) => id);

it("names the newest failed run of each workspace alone", () => {
  expect(idsOf([run("run_3"), run("run_2"), run("run_1", { id: "ws_2" })])).toEqual(["run_3", "run_1"]);
});

it("leaves out what was repaired since", () => {
  expect(idsOf([run("run_1", { deploymentStatus: "RUNNING" })])).toEqual([]);
});

it("keeps a workspace that is locked, whatever its status is", () => {
  expect(idsOf([run("run_1", { deploymentStatus: "RUNNING", lock: { reason: "STATE_UNKNOWN" } })])).toEqual(["run_1"]);
  expect(idsOf([run("run_1", { deploymentStatus: "RUNNING" }, "RELEASE_LOCK")])).toEqual(["run_1"]);
});
