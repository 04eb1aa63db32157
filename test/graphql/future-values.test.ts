/** Values of enums that cannot occur yet are marked as such, and no others: which those are is found in the code. */
import { globSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { isEnumType } from "graphql";
import { expect, test } from "vitest";
import { FUTURE_MARK } from "../../src/graphql/kit/described-enum.ts";
import { schema } from "../../src/graphql/server/schema.ts";
import { RUNTIME_HEALTHS } from "../../src/model/health/runtime-health.ts";
import { BLOCKER_KINDS } from "../../src/model/admission/blocker-kind.ts";
import { toDialects } from "../../src/model/lifecycle/dialects.ts";
import { FAILURE_CODES, FAILURE_STAGES, FAILURES } from "../../src/model/lifecycle/failure-code.ts";
import { FAILURE_REASONS, type ReasonDefinition } from "../../src/model/lifecycle/failure-reason.ts";
import { stageOf } from "../../src/model/lifecycle/failure-stage.ts";
import { FIRST_LEG, RUN_KINDS, RUN_OUTCOMES, RUN_TRIGGERS } from "../../src/model/lifecycle/run-kind.ts";
import { nextLeg } from "../../src/model/lifecycle/run-machine.ts";
import type { RunPosition } from "../../src/model/lifecycle/legal-changes.ts";
import { isTerminal } from "../../src/model/lifecycle/run-status.ts";
import { type Guard, TRANSITIONS } from "../../src/model/lifecycle/run-transitions.ts";
import { APPROVE, WITHDRAW } from "../../src/model/run/gates-ahead.ts";
import { phaseEnd, phaseOf } from "../../src/model/run/phase-of-run.ts";
import { requiredAction } from "../../src/model/run/run.ts";
import { FAILURE_OF_PURPOSE, FAILURE_STAGE_OF_HOOK } from "../../src/model/workspace/hook.ts";
import { ACTION_TRAITS } from "../../src/model/schedule/schedule.ts";
import { deploymentStatus } from "../../src/model/workspace/workspace.ts";

const root = fileURLToPath(new URL("../../src", import.meta.url));
const sources = globSync(`${root}/**/*.ts`).map((file) => ({
  path: relative(root, file),
  text: readFileSync(file, "utf8"),
}));

/** The texts of these folders, but for the files that only define words. */
function codeOf(folders: string[], vocabulary: string[] = []): string {
  const chosen = sources.filter(
    ({ path }) => folders.some((folder) => path.startsWith(`${folder}/`)) && !vocabulary.includes(path),
  );
  expect(chosen.length).toBeGreaterThan(10);
  return chosen.map(({ text }) => text).join("\n");
}

const literalsOf = (text: string, words: readonly string[]): string[] =>
  words.filter((word) => text.includes(`"${word}"`));

/** What the server asks the machine, as its code has it. */
const domain = codeOf(["domain"]);
const commands = new Set<string>([
  ...[...domain.matchAll(/type: "(\w+)"/g)].map(([, command]) => command ?? ""),
  ...Object.values(APPROVE),
  ...Object.values(WITHDRAW),
]);
/** Facts that the server always denies. */
const never = new Set<Guard>(domain.includes("probes: false,") ? ["hasProbes"] : []);

interface Step {
  from: RunPosition;
  to: RunPosition;
}

/** Every place that a run comes to by what the server asks, and the steps between them. */
function reached(): { places: RunPosition[]; steps: Step[] } {
  const keyOf = (place: RunPosition): string => JSON.stringify(place);
  const first = RUN_KINDS.map((kind): RunPosition => ({ kind, status: "QUEUED", leg: FIRST_LEG[kind], outcome: null }));
  const places = new Map(first.map((place) => [keyOf(place), place]));
  const steps: Step[] = [];
  for (const from of places.values()) {
    if (isTerminal(from.status)) continue;
    for (const row of TRANSITIONS) {
      const applies =
        commands.has(row.command) &&
        row.kinds.includes(from.kind) &&
        row.from?.includes(from.status) === true &&
        row.legs.includes(from.leg) &&
        !(row.when ?? []).some((guard) => never.has(guard));
      if (!applies || row.to === null) continue;
      const leg = nextLeg(row, from.kind, from.leg);
      const to: RunPosition = { kind: from.kind, status: row.to, leg, outcome: row.outcome ?? null };
      steps.push({ from, to });
      if (!places.has(keyOf(to))) places.set(keyOf(to), to);
    }
  }
  return { places: [...places.values()], steps };
}

const { places, steps } = reached();
const dialects = places.flatMap((place) => [toDialects(place, false), toDialects(place, true)]);
const reasons: ReasonDefinition[] = Object.values(FAILURE_REASONS);
const codes = [
  ...literalsOf(codeOf(["domain", "runner", "ingestion", "workers"]), FAILURE_CODES),
  ...reasons.map(({ code }) => code),
  ...Object.values(FAILURE_OF_PURPOSE).map(({ code }) => code),
].flatMap((code) => FAILURE_CODES.find((each) => each === code) ?? []);
const statuses = new Set(places.map(({ status }) => status));
const stageLiterals = [...codeOf(["domain", "runner"]).matchAll(/stage: (?:\w+[\w.]* \? )?"(\w+)"(?: : "(\w+)")?/g)];
const triggers = [...domain.matchAll(/trigger: (?:\w+ \? "(\w+)" : )?"(\w+)"/g)].flatMap(([, ...words]) =>
  words.flatMap((word) => word ?? []),
);

/** The outcomes and reasons that the code gives to decisions. */
const triggerWords = [
  ...codeOf(["domain", "model"]).matchAll(/skipped\("(\w+)"|\breason: "(\w+)"|\boutcome: "(\w+)"/g),
].flatMap(([, ...words]) => words.filter((word) => word !== undefined));

/** The values of each enum that do occur. */
const OCCURRING: Record<string, Iterable<string | null>> = {
  RunStatus: statuses,
  RunOutcome: RUN_OUTCOMES.filter((outcome) => places.some((place) => place.outcome === outcome)),
  RequiredAction: places.flatMap(({ status, leg }) =>
    [true, false].flatMap((locked) =>
      [true, false].flatMap((policyAsks) =>
        [true, false].map((isInconclusive) => requiredAction({ status, leg, policyAsks }, locked, isInconclusive)),
      ),
    ),
  ),
  PhaseKind: [
    ...places.map(({ status, leg }) => phaseOf(status, leg)),
    ...[...domain.matchAll(/recordPhase\(tx, deps, run, \{ kind: "(\w+)"/g)].map(([, kind]) => kind ?? ""),
  ],
  PhaseStatus: [
    "RUNNING",
    ...steps.map(({ from, to }) => phaseEnd(from.status, to.status)),
    ...[...domain.matchAll(/phaseEnd: "(\w+)"/g)].map(([, end]) => end ?? ""),
  ],
  AmnifyStatus: dialects.map(({ amnify }) => amnify),
  SpaceliftState: dialects.map(({ spacelift }) => spacelift),
  ForgecroftStatus: dialects.flatMap(({ forgecroft: { plan, apply, unlock } }) => [plan, apply, unlock]),
  SmartDeployStatus: dialects.map(({ smartDeploy }) => smartDeploy.status),
  HcpRunStatus: dialects.map(({ hcp }) => hcp),
  // `triggerOf` gives one of two, by the kind of the actor.
  RunTrigger: [
    ...triggers,
    ...Object.values(ACTION_TRAITS).map(({ trigger }) => trigger),
    ...literalsOf(domain.match(/function triggerOf[^}]*}[^}]*}/)?.[0] ?? "", RUN_TRIGGERS),
  ],
  BlockerKind: literalsOf(codeOf(["model", "domain"], ["model/admission/blocker-kind.ts"]), BLOCKER_KINDS),
  FailureCode: codes,
  FailureCategory: [
    ...codes.map((code) => FAILURES[code].category),
    ...reasons.flatMap(({ category, categoryOfApply }) => [category, categoryOfApply ?? null]),
  ],
  FailureStage: [
    ...codes.flatMap((code) => FAILURES[code].stage ?? []),
    ...[...statuses].map(stageOf),
    ...Object.values(FAILURE_STAGE_OF_HOOK),
    ...Object.values(FAILURE_OF_PURPOSE).map(({ stage }) => stage),
    ...reasons.map(({ stage }) => stage),
    ...stageLiterals.flatMap(([, ...found]) => FAILURE_STAGES.filter((stage) => found.includes(stage))),
  ],
  DeploymentStatus: [true, false].flatMap((paused) =>
    [true, false].flatMap((deploying) =>
      [true, false].flatMap((applied) =>
        [null, ...places.map(({ kind, status, outcome }) => ({ kind, status, outcome, applied }))].flatMap((last) =>
          RUNTIME_HEALTHS.map((health) => deploymentStatus({ paused, deploying, applied, last, health })),
        ),
      ),
    ),
  ),
  SyncState: [...codeOf(["model"]).matchAll(/\bstate: (?:\w[^?{}]* \? )?"(\w+)"(?: : "(\w+)")?/g)].flatMap((found) =>
    found.slice(1),
  ),
  TriggerOutcome: triggerWords,
  TriggerReason: triggerWords,
  // Sign-in by an identity provider adds the other one.
  MembershipSource: ["LOGIN", "MANUAL"],
};

test("the code was found", () => {
  expect([...commands]).toEqual(expect.arrayContaining(["admit", "claim", "planned", "applied", "leaseLost"]));
  expect([...never]).toEqual([]);
  expect(places.length).toBeGreaterThan(80);
  expect(codes).toEqual(expect.arrayContaining(["APPLY_PARTIAL", "RUNNER_LOST", "QUEUE_TIMED_OUT"]));
});

test.each(Object.entries(OCCURRING))("%s: what cannot occur yet says so", (name, values) => {
  const type = schema.getType(name);
  if (!isEnumType(type)) throw new Error(`There is no enum ${name}.`);
  const occurring = new Set(values);
  const all = type.getValues();
  const marked = all.filter(({ description }) => description?.endsWith(FUTURE_MARK) === true);
  expect(marked.map(({ name: value }) => value)).toEqual(
    all.map(({ name: value }) => value).filter((value) => !occurring.has(value)),
  );
  expect(marked.length).toBeLessThan(all.length);
});

test("no other enum has such a value", () => {
  const others = Object.values(schema.getTypeMap()).filter((type) => isEnumType(type) && !(type.name in OCCURRING));
  for (const type of others) {
    if (!isEnumType(type)) continue;
    for (const { name, description } of type.getValues()) {
      expect(description?.endsWith(FUTURE_MARK), `${type.name}.${name}`).not.toBe(true);
    }
  }
});
