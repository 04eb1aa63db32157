import type { PolicySetVersion, VersionPolicy } from "../../model/policy/policy-set-version.ts";
import type { PolicyTestReport, PolicyTestResult } from "../../model/policy/policy-test.ts";
import { builder } from "../kit/builder.ts";
import { connectionRef, edgeRef } from "../kit/connection.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { loaderById } from "../kit/loader.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import { actorLoader, ActorRef, creatorField } from "../people/actor.ts";
import { EnforcementLevelEnum, PolicyPointEnum, PolicyVersionStateEnum } from "./policy-enums.ts";

export const policyVersionLoader = loaderById(["policySetVersion"], (domain, caller, ids) =>
  domain.policyVersions(caller, ids),
);

const PolicyRef = builder.objectRef<VersionPolicy>("Policy").implement({
  description: "A policy of a version: when it is asked, and the effect of a violation.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "The name, unique within the version." }),
    point: t.expose("point", { type: PolicyPointEnum, description: "The moment at which it is asked." }),
    level: t.expose("level", { type: EnforcementLevelEnum, description: "The effect of a violation." }),
    stopsAutoApply: t.exposeBoolean("stopsAutoApply", {
      description: "Whether a violation at the level ADVISORY stops auto-apply.",
    }),
    types: t.stringList({
      description: "The types of resources that it judges. Empty: all, or the plan as a whole.",
      resolve: ({ types }) => [...types],
    }),
  }),
});

const TestResultRef = builder.objectRef<PolicyTestResult>("PolicyTestResult").implement({
  description: "The result of one test of a version.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "The name of the test." }),
    passed: t.boolean({
      description: "Whether the policies found what the test expects.",
      resolve: ({ problems }) => problems.length === 0,
    }),
    problems: t.exposeStringList("problems", { description: "Each difference from what the test expects, in words." }),
  }),
});

const TestReportRef = builder.objectRef<PolicyTestReport>("PolicyTestReport").implement({
  description: "The results of the tests of a version, when it was pushed.",
  fields: (t) => ({
    passed: t.boolean({
      description: "Whether all tests passed. A version with a test that failed is not activated.",
      resolve: ({ results }) => results.every(({ problems }) => problems.length === 0),
    }),
    results: t.field({
      type: [TestResultRef],
      description: "The result of each test, in their order.",
      resolve: ({ results }) => results,
    }),
  }),
});

addNode("policySetVersion", "PolicySetVersion", policyVersionLoader);
export const PolicyVersionRef = builder.objectRef<PolicySetVersion>("PolicySetVersion");
PolicyVersionRef.implement({
  extensions: requiredPermissions("POLICY_READ"),
  description: "The policies of a set as they were pushed at one time. A version never changes but for its state.",
  interfaces: [NodeRef],
  fields: (t) => ({
    number: t.exposeInt("number", { description: "The number, which counts up within the set from 1." }),
    state: t.expose("state", {
      type: PolicyVersionStateEnum,
      description: "Whether it judges plans, and decides about them.",
    }),
    digest: t.exposeString("digest", { description: "The SHA-256 of its source, in hexadecimal." }),
    message: t.exposeString("message", {
      nullable: true,
      description: "The words with which it was pushed. `null` if there were none.",
    }),
    policies: t.field({
      type: [PolicyRef],
      description: "Its policies.",
      resolve: ({ policies }) => [...policies],
    }),
    testReport: t.field({
      type: TestReportRef,
      nullable: true,
      description: "The results of its tests. `null` if it has none.",
      resolve: ({ testReport }) => (testReport === null || testReport.results.length === 0 ? null : testReport),
    }),
    createdBy: t.field(creatorField("The actor that pushed it.")),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was pushed." }),
    activatedBy: t.field({
      type: ActorRef,
      nullable: true,
      description: "The actor that activated it last. `null` if it never was active.",
      resolve: ({ activatedById }, _args, { loaders }) =>
        activatedById === null ? null : loaders.load(actorLoader, activatedById),
    }),
    activatedAt: t.expose("activatedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was activated last. `null` if it never was active.",
    }),
  }),
});

const EdgeRef = edgeRef<PolicySetVersion>("PolicySetVersion", "version");
export const PolicyVersionConnectionRef = connectionRef<PolicySetVersion>(
  "PolicySetVersion",
  "A page of versions, newest first.",
);
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: PolicyVersionRef, description: "The version.", resolve: (edge) => edge.node }),
);
builder.objectField(PolicyVersionConnectionRef, "edges", (t) =>
  t.field({ type: [EdgeRef], description: "The versions.", resolve: (connection) => connection.edges }),
);
