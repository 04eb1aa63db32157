/** What a workspace lets its runs perform around a real engine, and how far that says it is. */
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type Data, waitForStatus } from "../../support/api.ts";
import { approveBoth, holdsOf } from "../../support/run-steps.ts";
import { counts, data, type Holdpoint, PATIENCE_MS, provisioner, type TestWorkspace } from "../../e2e/holdpoint.ts";
import { sharedHoldpoint } from "../../e2e/shared-holdpoint.ts";

let holdpoint: Holdpoint;
beforeAll(async () => {
  holdpoint = await sharedHoldpoint();
});

interface Hook {
  stage: string;
  command: string;
}

async function setHooks(workspace: TestWorkspace, hooks: Hook[]): Promise<void> {
  const query = `mutation ($input: UpdateWorkspaceInput!) { updateWorkspace(input: $input) {
    ... on UpdateWorkspaceSuccess { workspace { hooks { stage command } } } ... on UserError { message } } }`;
  const { updateWorkspace } = await holdpoint.api.ask(query, { input: { workspaceId: workspace.id, hooks } });
  expect(updateWorkspace).toEqual({ workspace: { hooks } });
}

const STAGES = ["BEFORE_INIT", "AFTER_INIT", "BEFORE_PLAN", "AFTER_PLAN"].concat(
  ...["APPLY", "DESTROY"].map((what) => [`BEFORE_${what}`, `AFTER_${what}`]),
);

describe.concurrent("hooks and progress", { timeout: PATIENCE_MS }, () => {
  it("are performed at each stage of a deploy and a destroy; one that fails before an apply keeps it from beginning", async () => {
    const workspace = await holdpoint.workspace("hooks", {
      // What a hook makes before the init is part of the configuration.
      "main.tf": `${data("a", 'input = file("${path.module}/made")')}\noutput "shown" { value = terraform_data.a.output }`,
    });
    const said = STAGES.map((stage) => ({
      stage,
      command: 'echo "<$HOLDPOINT_HOOK>" >> said; echo "at $HOLDPOINT_HOOK"',
    }));
    const made = { stage: "BEFORE_INIT", command: "printf by-a-hook > made" };
    await setHooks(workspace, [made, { stage: "BEFORE_APPLY", command: "echo no way; exit 3" }]);
    const refused = await workspace.finish((await workspace.plan()).id, 1, "FAILED");
    expect(refused).toMatchObject({
      leg: "APPLY",
      failure: { code: "HOOK_FAILED", stage: "APPLY", stateUncertain: false },
    });
    expect(refused.failure?.evidence).toContain("no way");
    expect(await holdsOf(holdpoint.api, workspace.id)).toEqual({ lock: null, stateLock: null, currentRun: null });

    const last = {
      stage: "AFTER_APPLY",
      command: "terraform output -raw shown; echo; tr -d '\\n' < said; echo; exit 4",
    };
    await setHooks(workspace, [made, ...said, last]);
    const planned = await workspace.plan();
    // Nothing was applied by the one before.
    expect(planned.plans[0]).toMatchObject(counts({ additions: 1 }));
    const deployed = await workspace.finish(planned.id);
    expect(deployed).toMatchObject({ outcome: "APPLIED", failure: null });
    const lines = await workspace.log(planned.id);
    const at = (list: Data[]) =>
      list.filter(({ text }) => text.startsWith("at ")).map(({ phase, text }) => `${phase} ${text}`);
    expect(at(lines)).toEqual([
      "INIT at BEFORE_INIT",
      "INIT at AFTER_INIT",
      "INIT at BEFORE_PLAN",
      "PLAN at AFTER_PLAN",
      "INIT at BEFORE_INIT",
      "INIT at AFTER_INIT",
      "INIT at BEFORE_APPLY",
      "APPLY at AFTER_APPLY",
    ]);
    // The file that they all wrote to went from the plan to the apply, and the state could be read.
    expect(lines.slice(-3).map(({ text }: Data) => text)).toEqual([
      "by-a-hook",
      "<BEFORE_INIT><AFTER_INIT><BEFORE_PLAN><AFTER_PLAN><BEFORE_INIT><AFTER_INIT><BEFORE_APPLY><AFTER_APPLY>",
      "Warning: the hook AFTER_APPLY (2 of 2) failed (exit code 4). The apply itself succeeded.",
    ]);

    const destroyed = await workspace.deploy({ kind: "DESTROY" });
    expect(destroyed.outcome).toBe("DESTROYED");
    expect(at(await workspace.log(destroyed.id))).toEqual([
      "INIT at BEFORE_INIT",
      "INIT at AFTER_INIT",
      "INIT at BEFORE_PLAN",
      "PLAN at AFTER_PLAN",
      "INIT at BEFORE_INIT",
      "INIT at AFTER_INIT",
      "INIT at BEFORE_DESTROY",
      "DESTROY at AFTER_DESTROY",
    ]);
  });

  it("keep the colors that they and provisioners write beside their lines, and show nothing of a secret by them", async () => {
    const workspace = await holdpoint.workspace("colors", {
      "main.tf": data("a", provisioner("printf '\\033[36mprovisioned\\033[0m here\\n'")),
    });
    await workspace.setVariable({ key: "KEY", value: "secret-of-colors", sensitive: true, category: "ENVIRONMENT" });
    const command = `printf '\\033[1;31mfailed\\033[0m 2 \\033[32mkey %s\\033[35m%s\\033[0m\\n' "\${KEY%colors}" "\${KEY#secret-of-}"`;
    await setHooks(workspace, [{ stage: "BEFORE_PLAN", command }]);
    const { id } = await workspace.deploy();
    const { run } = await holdpoint.api.ask(
      `query ($id: ID!) { run(id: $id) { log { edges { node { text spans { from to color bold } } } } } }`,
      { id },
    );
    const colored = run.log.edges.map(({ node }: Data) => node).filter(({ spans }: Data) => spans.length > 0);
    const shown = "terraform_data.a (local-exec): ";
    expect(colored).toEqual([
      {
        text: "failed 2 key (sensitive value)",
        spans: [
          { from: 0, to: 6, color: "RED", bold: true },
          { from: 9, to: 13, color: "GREEN", bold: false },
        ],
      },
      {
        text: `${shown}provisioned here`,
        spans: [{ from: shown.length, to: shown.length + 11, color: "CYAN", bold: false }],
      },
    ]);
  });

  it("tells how far an apply is, by what the engine does at this moment", async () => {
    const gates = await mkdtemp(join(tmpdir(), "holdpoint-gates-"));
    await chmod(gates, 0o755);
    const open = (name: string) => writeFile(join(gates, name), "", { mode: 0o644 });
    const waits = (name: string) =>
      provisioner(`while test -d ${gates} && ! test -e ${join(gates, name)}; do sleep 0.1; done`);
    try {
      const workspace = await holdpoint.workspace("progress", {
        "main.tf": `${data("first")}${data("second", `depends_on = [terraform_data.first]\n${waits("second")}`)}
          ${data("third", `depends_on = [terraform_data.second]\n${waits("third")}`)}`,
      });
      const runId = await workspace.createRun();
      await using items = holdpoint.api.subscribe(
        `subscription ($runId: ID!) { runEvents(runId: $runId) { ... on RunChanged { fields run {
          progress { phase total done failed current { address action } currentCount } } } } }`,
        { runId },
      );
      /** Until the stream tells that exactly this is being done. */
      const until = async (done: number, address: string): Promise<Data> => {
        for (let item = await items.next(); item.done !== true; item = await items.next()) {
          const { fields, run } = item.value.runEvents;
          const { done: found, current } = (fields?.includes("progress") === true && run.progress) || {};
          if (found === done && current[0]?.address === address) return run.progress;
        }
        throw new Error("The run ended.");
      };
      await approveBoth(holdpoint.api, runId);
      const current = (address: string) => [{ address, action: "CREATE" }];
      const at = { phase: "APPLY", total: 3, failed: 0, currentCount: 1 };
      expect(await until(1, "terraform_data.second")).toEqual({
        ...at,
        done: 1,
        current: current("terraform_data.second"),
      });
      await open("second");
      expect(await until(2, "terraform_data.third")).toEqual({
        ...at,
        done: 2,
        current: current("terraform_data.third"),
      });
      await open("third");
      await waitForStatus(holdpoint.api, runId, "FINISHED");
      const { run } = await holdpoint.api.ask(
        "query ($id: ID!) { run(id: $id) { progress { phase total done failed current { address } estimatedEndAt } } }",
        { id: runId },
      );
      expect(run.progress).toEqual({ phase: "APPLY", total: 3, done: 3, failed: 0, current: [], estimatedEndAt: null });
    } finally {
      await rm(gates, { recursive: true, force: true });
    }
  });
});
