import { LIMITS } from "../../model/kit/limits.ts";
import type { PolicyFixture } from "../../model/policy/policy-fixture.ts";
import type { ExpectedFailure, PolicyTest } from "../../model/policy/policy-test.ts";
import { builder } from "../kit/builder.ts";
import { loaderById, loaderOf } from "../kit/loader.ts";
import { creatorField } from "../people/actor.ts";
import { PolicyPointEnum } from "./policy-enums.ts";
import { PolicyRuleRef } from "./policy-rule.ts";
import { PolicySetRef } from "./policy-set.ts";
import { PolicyVersionRef } from "./policy-version.ts";

const contentLoader = loaderById(["policySetVersion"], (domain, caller, ids) =>
  domain.policyVersionContents(caller, ids),
);
const fixturesLoader = loaderOf((domain, caller, ids) => domain.policyFixturesOfSets(caller, ids));

const WORDS = {
  name: "The name, unique within the version.",
  point: "The moment whose policies are asked.",
  document: "The document that is judged, as JSON: `plan`, as `show -json` prints it, and `custom`.",
  fixtureId: "The fixture of the set whose document is judged, in place of `document`.",
  context:
    "JSON with some of the keys `run`, `workspace`, `organization`, `actor`, `approvals`, `cost` and `previousRun`, in place of neutral values or those of the fixture.",
  failed: "The policies that must find a violation, or demand approvals.",
  passed: "The names of the policies that must find nothing.",
  policy: "The name of the policy.",
  rule: "The rule of the policy. Absent: any.",
  addresses: "All addresses that it must name, in any order. Absent: any.",
} as const;

const ExpectedFailureRef = builder.objectRef<ExpectedFailure>("ExpectedPolicyFailure").implement({
  description: "A policy that must find a violation, or demand approvals.",
  fields: (t) => ({
    policy: t.exposeString("policy", { description: WORDS.policy }),
    rule: t.exposeString("rule", { nullable: true, description: "The rule of the policy. `null`: any." }),
    addresses: t.stringList({
      nullable: true,
      description: "All addresses that it must name. `null`: any.",
      resolve: ({ addresses }) => (addresses === null ? null : [...addresses]),
    }),
  }),
});

const PolicyTestRef = builder.objectRef<PolicyTest>("PolicyTest").implement({
  description: "A document, and what the policies of a version must find in it.",
  fields: (t) => ({
    name: t.exposeString("name", { description: WORDS.name }),
    point: t.field({ type: PolicyPointEnum, description: WORDS.point, resolve: ({ given }) => given.point }),
    document: t.string({
      nullable: true,
      description: "The document that is judged, as JSON. `null` if it is that of a fixture, and at RUN_CREATE.",
      resolve: ({ given }) => given.document,
    }),
    fixtureId: t.id({
      nullable: true,
      description: "The fixture whose document is judged. `null` if the test has a document.",
      resolve: ({ given }) => given.fixtureId,
    }),
    context: t.string({
      nullable: true,
      description: "JSON in place of neutral values, or of those of the fixture. `null` if none is given.",
      resolve: ({ given }) => given.context,
    }),
    failed: t.field({
      type: [ExpectedFailureRef],
      description: WORDS.failed,
      resolve: ({ expect }) => [...expect.failed],
    }),
    passed: t.stringList({ description: WORDS.passed, resolve: ({ expect }) => [...expect.passed] }),
  }),
});

export const PolicyFixtureRef = builder.objectRef<PolicyFixture>("PolicyFixture").implement({
  description: "A copy of the document of a plan, which tests of versions judge.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "The id, by which tests name it." }),
    name: t.exposeString("name", { description: "The name, unique within the set." }),
    planId: t.exposeID("planId", { description: "The id of the plan." }),
    createdBy: t.field(creatorField("The actor that made it.")),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was made." }),
  }),
});

builder.objectField(PolicySetRef, "fixtures", (t) =>
  t.field({
    type: [PolicyFixtureRef],
    description: "The fixtures, oldest first.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(fixturesLoader, id),
  }),
);

builder.objectFields(PolicyVersionRef, (t) => ({
  rules: t.field({
    type: [PolicyRuleRef],
    nullable: true,
    description: "Its rules in CEL. `null` for a compiled module.",
    resolve: async ({ id }, _args, { loaders }) => {
      const source = (await loaders.load(contentLoader, id))?.source;
      return source?.language === "CEL" ? [...source.rules] : null;
    },
  }),
  tests: t.field({
    type: [PolicyTestRef],
    description: "Its tests.",
    resolve: async ({ id }, _args, { loaders }) => [...((await loaders.load(contentLoader, id))?.tests ?? [])],
  }),
}));

const ExpectedFailureInputRef = builder.inputType("ExpectedPolicyFailureInput", {
  description: WORDS.failed,
  fields: (t) => ({
    policy: t.string({ required: true, description: WORDS.policy }),
    rule: t.string({ description: WORDS.rule }),
    addresses: t.stringList({ description: WORDS.addresses }),
  }),
});

const PolicyTestGivenRef = builder.inputType("PolicyTestGivenInput", {
  description:
    "The input of a test: a document or a fixture. At RUN_CREATE neither is needed, and a fixture gives its context alone.",
  fields: (t) => ({
    point: t.field({ type: PolicyPointEnum, required: true, defaultValue: "PLAN", description: WORDS.point }),
    document: t.string({ description: `${WORDS.document} At most ${LIMITS.trialDocumentBytes} bytes.` }),
    fixtureId: t.id({ description: WORDS.fixtureId }),
    context: t.string({ description: `${WORDS.context} At most ${LIMITS.contextBytes} bytes.` }),
  }),
});

const PolicyTestExpectRef = builder.inputType("PolicyTestExpectInput", {
  description: "The policies that must fail and those that must pass: at least one.",
  fields: (t) => ({
    failed: t.field({ type: [ExpectedFailureInputRef], required: true, defaultValue: [], description: WORDS.failed }),
    passed: t.stringList({ required: true, defaultValue: [], description: WORDS.passed }),
  }),
});

export const PolicyTestInputRef = builder.inputType("PolicyTestInput", {
  description: "A document, and what the policies of the version must find in it.",
  fields: (t) => ({
    name: t.string({ required: true, description: WORDS.name }),
    given: t.field({ type: PolicyTestGivenRef, required: true, description: "The input of the test." }),
    expect: t.field({
      type: PolicyTestExpectRef,
      required: true,
      description: "The findings that the policies must have.",
    }),
  }),
});

/** Returns tests as the domain has them. */
export function toTests(inputs: readonly (typeof PolicyTestInputRef.$inferInput)[]): PolicyTest[] {
  return inputs.map(({ name, given, expect }) => ({
    name,
    given: {
      point: given.point,
      document: given.document ?? null,
      fixtureId: given.fixtureId ?? null,
      context: given.context ?? null,
    },
    expect: {
      failed: expect.failed.map(({ policy, rule, addresses }) => {
        return { policy, rule: rule ?? null, addresses: addresses ?? null };
      }),
      passed: expect.passed,
    },
  }));
}
