/** What a workspace lets its runs perform around the engine, which is one that only says that it did something. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JobMessage } from "../../../src/ingestion/wire.ts";
import type { Hook, HookPurpose, HookStage } from "../../../src/model/workspace/hook.ts";
import { RunnerHarness, variable } from "../../support/runner-harness.ts";

const FAKE = new URL("../../fixtures/fake-terraform", import.meta.url).pathname;

let harness: RunnerHarness;
beforeAll(async () => {
  harness = await RunnerHarness.start({ engine: { name: "terraform", version: "9.9.9", path: FAKE } });
});
afterAll(() => harness[Symbol.asyncDispose]());

/** An engine that has nothing to say. */
const files = { "main.tf": "", mode: "quiet" };
const hook = (stage: HookStage, command: string, purpose?: HookPurpose): Hook => {
  return purpose === undefined ? { stage, command } : { stage, purpose, command };
};
const lines = (phase: string): string[] =>
  harness.server.lines.filter((line) => line.phase === phase).map(({ text }) => text);

function failureOf(message: JobMessage) {
  if (message.type !== "failed") throw new Error(JSON.stringify(message));
  return message.failure;
}

async function planWith(...hooks: Hook[]): Promise<JobMessage> {
  await harness.offerPlan(files, { hooks });
  return harness.server.ended();
}

test("a plan's are performed in their order, in the folder of the configuration, with the engine's environment", async () => {
  const said = 'echo "$HOLDPOINT_HOOK $HOLDPOINT_RUN_ID $HOLDPOINT_RUN_NUMBER $HOLDPOINT_WORKSPACE"';
  const key = variable("KEY", "canary-of-the-hooks", { category: "ENVIRONMENT", sensitive: true });
  const plan = await harness.plan(files, {
    variables: [key, variable("HOLDPOINT_HOOK", "forged", { category: "ENVIRONMENT" })],
    hooks: [
      hook("AFTER_PLAN", 'cat made; cat "$HOLDPOINT_PLAN_FILE"; echo; cat "$TMPDIR/left"'),
      hook("BEFORE_INIT", `${said}; ls main.tf; echo made-by-a-hook > made`),
      hook("BEFORE_PLAN", "echo one; echo of-tmp > $TMPDIR/left"),
      hook("AFTER_INIT", 'echo "key is $KEY"; echo "plan: ${HOLDPOINT_PLAN_FILE:-none}"; terraform version'),
      hook("BEFORE_PLAN", "echo two"),
    ],
  });
  expect(lines("INIT")).toEqual([
    "Hook BEFORE_INIT (1 of 1)",
    "BEFORE_INIT run_1 1 test",
    "main.tf",
    "Hook AFTER_INIT (1 of 1)",
    "key is (sensitive value)",
    "plan: none",
    "Terraform v9.9.9",
    "Hook BEFORE_PLAN (1 of 2)",
    "one",
    "Hook BEFORE_PLAN (2 of 2)",
    "two",
  ]);
  expect(lines("PLAN")).toEqual(["Hook AFTER_PLAN (1 of 1)", "made-by-a-hook", "plan", "of-tmp"]);

  // The apply has what they made, and performs its own before the run counts as applying.
  const applied = await harness.apply(plan, {
    hooks: [
      hook("BEFORE_INIT", "cat made"),
      hook("BEFORE_APPLY", 'cat "$HOLDPOINT_PLAN_FILE"; echo; echo early'),
      hook("AFTER_APPLY", "echo first; exit 3"),
      hook("AFTER_APPLY", "echo second"),
    ],
  });
  expect(applied.type).toBe("applied");
  expect(harness.server.messages.map(({ type }) => type)).toEqual(["restored", "prepared", "applied"]);
  expect(lines("INIT").slice(-5)).toEqual([
    "Hook BEFORE_INIT (1 of 1)",
    "made-by-a-hook",
    "Hook BEFORE_APPLY (1 of 1)",
    "plan",
    "early",
  ]);
  expect(lines("APPLY")).toEqual([
    "fake.a: Creation complete",
    "Apply complete!",
    "Hook AFTER_APPLY (1 of 2)",
    "first",
    "Warning: the hook AFTER_APPLY (1 of 2) failed (exit code 3). The apply itself succeeded.",
    "Hook AFTER_APPLY (2 of 2)",
    "second",
  ]);
});

test.each([
  ["BEFORE_INIT", "INIT"],
  ["AFTER_INIT", "INIT"],
  ["BEFORE_PLAN", "PLAN"],
  ["AFTER_PLAN", "PLAN"],
] as const)("a failing hook %s fails the run, and nothing comes after it", async (stage, failed) => {
  const message = await planWith(
    hook(stage, "echo Error: of a script; echo no way >&2; exit 7"),
    hook(stage, "echo later"),
  );
  expect(failureOf(message)).toMatchObject({
    code: "HOOK_FAILED",
    stage: failed,
    summary: `The hook ${stage} (1 of 2) failed (exit code 7).`,
    message: "no way",
    evidence: expect.arrayContaining(["no way"]),
  });
  expect(harness.server.log).not.toContain("later");
});

test("before an apply it fails the run that nothing was applied of", async () => {
  const plan = await harness.plan(files);
  const message = await harness.apply(plan, { hooks: [hook("BEFORE_APPLY", "kill -9 $$")] });
  expect(failureOf(message)).toMatchObject({
    code: "HOOK_FAILED",
    stage: "APPLY",
    summary: "The hook BEFORE_APPLY (1 of 1) failed (ended by SIGKILL).",
    appliedAddresses: [],
  });
  expect(harness.server.messages.map(({ type }) => type)).toEqual(["restored", "failed"]);
  expect(harness.server.log).not.toContain("Creation complete");
});

test("the plan that was shown is the one that is applied, whatever a hook does to its file", async () => {
  const tamper = 'chmod u+w "$HOLDPOINT_PLAN_FILE"; echo more >> "$HOLDPOINT_PLAN_FILE"';
  const planned = failureOf(await planWith(hook("AFTER_PLAN", tamper)));
  expect(planned).toMatchObject({
    code: "HOOK_FAILED",
    stage: "PLAN",
    summary: "A hook changed the saved plan. Hooks may only read it.",
  });
  const plan = await harness.plan(files);
  for (const command of [tamper, 'ln -sf /dev/null "$HOLDPOINT_PLAN_FILE"']) {
    const failure = failureOf(await harness.apply(plan, { hooks: [hook("BEFORE_APPLY", command)] }));
    expect(failure).toMatchObject({ code: "HOOK_FAILED", stage: "APPLY", appliedAddresses: [] });
  }
  expect(harness.server.log).not.toContain("Creation complete");
});

test("what a hook puts where the runner writes is replaced, and no link is followed", async () => {
  const override = "zz_holdpoint_override.tf";
  const plant = `echo mine > "$TMPDIR/target"; rm ${override}; ln -s "$TMPDIR/target" ${override}`;
  const message = await planWith(
    hook("BEFORE_INIT", plant),
    hook("AFTER_INIT", `cat "$TMPDIR/target" ${override}; test -L ${override} || echo no-link`),
  );
  expect(message.type).toBe("planned");
  expect(lines("INIT").slice(-5)).toEqual(["mine", "terraform {", '  backend "http" {}', "}", "no-link"]);
});

test("a state that one leaves in the folder, as an engine does that may not write it, is not the workspace's", async () => {
  const leave = `echo '{"version":4,"serial":9,"lineage":"of-a-hook","resources":[]}' > errored.tfstate`;
  const plan = await harness.plan(files, { hooks: [hook("AFTER_PLAN", leave)] });
  expect(lines("PLAN").at(-1)).toBe("Removed errored.tfstate: this phase may not write the state.");
  const hooks = [hook("BEFORE_APPLY", leave), hook("AFTER_APPLY", leave)];
  expect((await harness.apply(plan, { hooks })).type).toBe("applied");
  expect(harness.server.stateVersions).toEqual([]);
  await harness.server.until(() => harness.server.requests.at(-1)?.path === "claim");
  expect(await readdir(join(harness.workDir, "jobs"))).toEqual([]);
});

test("one that goes on for ever ends when the run is stopped", async () => {
  await harness.offerPlan(files, { hooks: [hook("BEFORE_PLAN", "echo waiting; while :; do sleep 0.1; done")] });
  await harness.server.until(() => harness.server.log.includes("waiting"));
  harness.server.cancelRequested = true;
  expect((await harness.server.ended()).type).toBe("stopped");
});

test("after an apply it is ended by a stop as well, and what was applied stands", async () => {
  const plan = await harness.plan(files);
  const endless = "echo waiting; while :; do sleep 0.1; done";
  harness.offerApply(plan, { hooks: [hook("AFTER_APPLY", endless), hook("AFTER_APPLY", "echo later")] });
  await harness.server.until(() => harness.server.log.includes("waiting"));
  harness.server.cancelRequested = true;
  expect((await harness.server.ended()).type).toBe("applied");
  expect(lines("APPLY").slice(-2)).toEqual([
    "waiting",
    expect.stringMatching(/^Warning: .* failed .*apply itself succeeded/),
  ]);
});

test("before an apply that nobody was asked about it leaves nothing uncertain either", async () => {
  harness.server.intervene = ({ path, body }) => {
    const message: JobMessage | null = path === "messages" ? JSON.parse(body.toString()) : null;
    if (message?.type !== "planned") return undefined;
    harness.server.intervene = () => undefined;
    const hooks = [hook("BEFORE_APPLY", "exit 9")];
    const next = harness.offerApply(message.plan, { hooks, nextLine: harness.server.lines.length + 1 });
    return { status: 200, body: { goOn: false, next } };
  };
  await harness.offerPlan(files);
  const failure = failureOf(await harness.server.ended());
  expect(failure).toMatchObject({ code: "HOOK_FAILED", stage: "APPLY", appliedAddresses: [] });
  expect(failure.stateUncertain).toBeUndefined();
  expect(lines("APPLY")).toContain("Hook BEFORE_APPLY (1 of 1)");
});

test("a hook with a purpose fails in the stage of its purpose", async () => {
  const failures = [];
  for (const purpose of ["GENERIC", "DETECT", "BUILD", "PUBLISH", "ROLLOUT"] as const) {
    const { code, stage } = failureOf(await planWith(hook("BEFORE_PLAN", "exit 3", purpose)));
    failures.push([purpose, code, stage]);
  }
  expect(failures).toEqual([
    ["GENERIC", "HOOK_FAILED", "PLAN"],
    ["DETECT", "HOOK_FAILED", "DETECT"],
    ["BUILD", "CODEBUILD_DOCKER_IMAGE_BUILD_FAILED", "BUILD"],
    ["PUBLISH", "HOOK_FAILED", "PUBLISH"],
    ["ROLLOUT", "HOOK_FAILED", "ROLLOUT"],
  ]);
});

test("after an apply a hook with a purpose fails the run, and lists what was applied", async () => {
  const plan = await harness.plan(files);
  const hooks = [
    hook("AFTER_APPLY", "exit 1"),
    hook("AFTER_APPLY", "echo it does not start; exit 3", "ROLLOUT"),
    hook("AFTER_APPLY", "echo not performed"),
  ];
  const failure = failureOf(await harness.apply(plan, { hooks }));
  expect(failure).toMatchObject({
    code: "HOOK_FAILED",
    stage: "ROLLOUT",
    summary: "The hook AFTER_APPLY (2 of 3) failed (exit code 3). The apply itself succeeded.",
    appliedAddresses: ["fake.a"],
  });
  expect(failure.message).toContain("it does not start");
  expect(harness.server.log).not.toContain("not performed");
  // The state is stored: the next run plans from it.
  expect(harness.server.lock).toBeNull();
});
