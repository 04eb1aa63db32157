import type { ExceptionDecision } from "../../domain/judgement/decide-exception.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { ShownException, ShownExceptionState } from "../../model/policy/policy-exception.ts";
import { builder } from "../kit/builder.ts";
import { connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { namePosition } from "../kit/cursor.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { present } from "../kit/errors.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { loaderById } from "../kit/loader.ts";
import { mutation, type Success } from "../kit/mutation.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import { pageArgs, toPageRequest } from "../kit/page.ts";
import { workspaceLoader, WorkspaceRef } from "../kit/refs.ts";
import { ActorRef, actorLoader } from "../people/actor.ts";
import { policySetLoader, PolicySetRef } from "./policy-set.ts";

export const policyExceptionLoader = loaderById(["policyException"], (domain, caller, ids) =>
  domain.policyExceptions(caller, ids),
);

const StateEnum = describedEnum<ShownExceptionState>("PolicyExceptionState", "Whether an exception is in force.", {
  REQUESTED: "Another person must decide about it.",
  APPROVED: "It is in force: what it matches is waived.",
  REJECTED: "It was rejected.",
  REVOKED: "It was ended, or taken back, before its time.",
  EXPIRED: "Its time has come.",
});

const DecisionEnum = describedEnum<ExceptionDecision>("PolicyExceptionDecision", "A decision about an exception.", {
  APPROVE: "The exception is in force until it expires.",
  REJECT: "The exception is not granted.",
});

export const PolicyExceptionRef = builder.objectRef<ShownException>("PolicyException");
addNode("policyException", "PolicyException", policyExceptionLoader);
PolicyExceptionRef.implement({
  extensions: requiredPermissions("POLICY_READ"),
  description:
    "Violations of a policy that people allow for some time. Results that it matches are waived: shown, and not counted. Two people are behind it.",
  interfaces: [NodeRef],
  fields: (t) => ({
    policySet: t.field({
      type: PolicySetRef,
      nullable: true,
      description: "The policy set. `null` if it was deleted.",
      resolve: ({ setId }, _args, { loaders }) => loaders.load(policySetLoader, setId),
    }),
    policy: t.exposeString("policy", { description: "The name of the policy." }),
    rule: t.exposeString("rule", { description: "The name of the rule, or `*` for all rules of the policy." }),
    addressGlob: t.exposeString("addressGlob", {
      description: "The addresses of resources, as a glob: `*` matches any characters.",
    }),
    workspaces: t.field({
      type: [WorkspaceRef],
      description: "Its workspaces that the caller may read.",
      resolve: async ({ workspaceIds }, _args, { loaders }) => {
        const found = await Promise.all(workspaceIds.map((id) => loaders.load(workspaceLoader, id)));
        return found.filter((workspace) => workspace !== null);
      },
    }),
    reason: t.exposeString("reason", { description: "Why the violation is allowed." }),
    ticket: t.exposeString("ticket", { nullable: true, description: "A ticket about it. `null` if there is none." }),
    state: t.expose("shownState", { type: StateEnum, description: "Whether it is in force now." }),
    requestedBy: t.field({
      type: ActorRef,
      description: "The person that requested it.",
      resolve: async ({ id, requestedById }, _args, { loaders }) =>
        present(await loaders.load(actorLoader, requestedById), `The requester of ${id}`),
    }),
    requestedAt: t.expose("requestedAt", { type: "DateTime", description: "When it was requested." }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", description: "When it ends." }),
    decidedBy: t.field({
      type: ActorRef,
      nullable: true,
      description: "The person that approved or rejected it. `null` before that.",
      resolve: ({ decided }, _args, { loaders }) => decided && loaders.load(actorLoader, decided.actorId),
    }),
    decidedAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "When it was approved or rejected. `null` before that.",
      resolve: ({ decided }) => decided?.at ?? null,
    }),
    decisionComment: t.string({
      nullable: true,
      description: "The comment of that person. `null` if there is none.",
      resolve: ({ decided }) => decided?.comment ?? null,
    }),
    revokedBy: t.field({
      type: ActorRef,
      nullable: true,
      description: "The person that revoked it. `null` if it was not.",
      resolve: ({ revoked }, _args, { loaders }) => revoked && loaders.load(actorLoader, revoked.actorId),
    }),
    revokedAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "When it was revoked. `null` if it was not.",
      resolve: ({ revoked }) => revoked?.at ?? null,
    }),
    revocationComment: t.string({
      nullable: true,
      description: "The comment of that person. `null` if there is none.",
      resolve: ({ revoked }) => revoked?.comment ?? null,
    }),
  }),
});

const EdgeRef = edgeRef<ShownException>("PolicyException", "exception");
const ConnectionRef = connectionRef<ShownException>("PolicyException", "A page of exceptions, newest first.");
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: PolicyExceptionRef, description: "The exception.", resolve: (edge) => edge.node }),
);
builder.objectField(ConnectionRef, "edges", (t) =>
  t.field({ type: [EdgeRef], description: "The exceptions.", resolve: (connection) => connection.edges }),
);

builder.objectField(PolicySetRef, "exceptions", (t) =>
  t.field({
    type: ConnectionRef,
    description: "The exceptions that were requested from its policies, newest first.",
    args: {
      ...pageArgs(),
      expired: t.arg.boolean({
        description: "Only those whose time has come, or only others. The default is both.",
      }),
    },
    resolve: async ({ id: setId }, { expired = null, ...args }, { caller, domain }) => {
      const name = `exceptions of ${setId}`;
      const request = toPageRequest(args, { name, position: namePosition });
      const page = await domain.listPolicyExceptions(caller, { setId, expired }, request);
      return toConnection(name, page, ({ id }) => id);
    },
  }),
);

function exceptionSuccess(description: string): Success<ShownException> {
  return {
    description,
    fields: (t) => ({
      policyException: t.field({
        type: PolicyExceptionRef,
        description: "The exception.",
        resolve: ({ value }) => value,
      }),
    }),
  };
}

const DAYS = LIMITS.exceptionMs / (24 * 60 * 60 * 1000);
const COMMENT = "The reason, for later readers.";

mutation("requestPolicyException", {
  description:
    "Requests an exception from a policy. A person must do it, and another one decides: `decidePolicyException`.",
  argument: "The exception.",
  input: {
    description: "The violations to allow, and until when.",
    fields: (t) => ({
      policySetId: t.id({ required: true, description: "The policy set." }),
      policy: t.string({ required: true, description: "The name of a policy of the set." }),
      rule: t.string({ required: true, defaultValue: "*", description: "The name of a rule, or `*` for all of them." }),
      addressGlob: t.string({
        required: true,
        defaultValue: "*",
        description:
          "The addresses of resources: `*` matches any characters. A violation of several addresses must match with all of them, one without addresses only `*`.",
      }),
      workspaceIds: t.idList({
        required: true,
        description: `The workspaces, at most ${LIMITS.workspacesPerException}. It takes the permission in each.`,
      }),
      reason: t.string({ required: true, description: "Why the violation is allowed." }),
      ticket: t.string({ description: "A ticket about it." }),
      expiresAt: t.field({
        type: "DateTime",
        required: true,
        description: `When it ends: in the future, and at most ${DAYS} days from now.`,
      }),
    }),
  },
  success: exceptionSuccess("The exception was requested."),
  run: ({ requestPolicyException }, caller, { input }) =>
    requestPolicyException(caller, { ...input, ticket: input.ticket ?? null }),
});

mutation("decidePolicyException", {
  description:
    "Approves or rejects a requested exception. It takes a person that may change policies and is another one than the requester.",
  argument: "The decision.",
  input: {
    description: "The decision about an exception.",
    fields: (t) => ({
      exceptionId: t.id({ required: true, description: "The exception." }),
      decision: t.field({ type: DecisionEnum, required: true, description: "The decision." }),
      comment: t.string({ description: COMMENT }),
    }),
  },
  success: exceptionSuccess("The decision was recorded."),
  run: ({ decidePolicyException }, caller, { input }) =>
    decidePolicyException(caller, { ...input, comment: input.comment ?? null }),
});

mutation("revokePolicyException", {
  description:
    "Ends an exception at once, or takes a request back. Approved runs that were let through by it are rejected before their apply. The requester needs no permission.",
  argument: "The exception to revoke.",
  input: {
    description: "The exception to revoke.",
    fields: (t) => ({
      exceptionId: t.id({ required: true, description: "The exception." }),
      comment: t.string({ description: COMMENT }),
    }),
  },
  success: exceptionSuccess("The exception was revoked."),
  run: ({ revokePolicyException }, caller, { input }) =>
    revokePolicyException(caller, { ...input, comment: input.comment ?? null }),
});
