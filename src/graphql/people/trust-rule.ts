import type { TrustRule } from "../../model/people/trust-rule.ts";
import { builder } from "../kit/builder.ts";
import { present } from "../kit/errors.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { loaderById, loaderOf } from "../kit/loader.ts";
import { mutation } from "../kit/mutation.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import { deletedSuccess } from "../kit/success.ts";
import { actorLoader, MachineUserRef } from "./actor.ts";

const trustRuleLoader = loaderById(["trustRule"], (domain, caller, ids) => domain.trustRules(caller, ids));
const rulesOfAccountsLoader = loaderOf((domain, caller, ids) => domain.trustRulesOfAccounts(caller, ids));

const PATTERN = "`*` matches any text.";

const ConditionRef = builder.objectRef<{ name: string; value: string }>("ClaimCondition").implement({
  description: "A claim that a token must have.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "The name of the claim." }),
    value: t.exposeString("value", { description: `The value that it must have. ${PATTERN}` }),
  }),
});

const TrustRuleRef = builder.objectRef<TrustRule>("TrustRule");
addNode("trustRule", "TrustRule", trustRuleLoader);
TrustRuleRef.implement({
  extensions: requiredPermissions("MEMBER_READ"),
  description:
    "Tokens of another issuer, such as a CI system, that can be exchanged for a token of a machine user at `/auth/token`.",
  interfaces: [NodeRef],
  fields: (t) => ({
    serviceAccount: t.field({
      type: MachineUserRef,
      description: "The machine user.",
      resolve: async ({ actorId }, _args, { loaders }) =>
        present(await loaders.load(actorLoader, actorId), `Actor ${actorId}`),
    }),
    issuer: t.exposeString("issuer", { description: "The `iss` of the tokens." }),
    audience: t.exposeString("audience", { description: "The value that their `aud` must be, or have." }),
    subject: t.exposeString("subject", { description: `The value that their \`sub\` must have. ${PATTERN}` }),
    claims: t.field({
      type: [ConditionRef],
      description: "Further claims that they must have.",
      resolve: ({ claims }) => Object.entries(claims).map(([name, value]) => ({ name, value })),
    }),
    maxSeconds: t.exposeInt("maxSeconds", { description: "The life of the tokens that they are exchanged for." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
  }),
});

builder.objectField(MachineUserRef, "trustRules", (t) =>
  t.field({
    type: [TrustRuleRef],
    extensions: requiredPermissions("MEMBER_READ"),
    description: "The trust rules of the machine user, oldest first. Empty without the permission MEMBER_READ.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(rulesOfAccountsLoader, id),
  }),
);

const ConditionInputRef = builder.inputType("ClaimConditionInput", {
  description: "A claim that a token must have.",
  fields: (t) => ({
    name: t.string({ required: true, description: "The name of the claim." }),
    value: t.string({
      required: true,
      description: `The value that it must have; of a list, one value must. ${PATTERN}`,
    }),
  }),
});

mutation("createTrustRule", {
  description:
    "Lets tokens of another issuer be exchanged for tokens of a machine user. The caller must have itself what the machine user was granted.",
  argument: "The trust rule.",
  input: {
    description: "The trust rule to create. A rule that strangers could use is refused.",
    fields: (t) => ({
      serviceAccountId: t.id({ required: true, description: "The machine user." }),
      issuer: t.string({
        required: true,
        description: "The `iss` of the tokens, an address at which the issuer publishes its keys.",
      }),
      audience: t.string({
        required: true,
        description: "The value that their `aud` must be, or have. Use the address of this server.",
      }),
      subject: t.string({ required: true, description: `The value that their \`sub\` must have. ${PATTERN}` }),
      claims: t.field({
        type: [ConditionInputRef],
        required: true,
        defaultValue: [],
        description: "Further claims that they must have.",
      }),
      maxSeconds: t.int({
        required: true,
        defaultValue: 3600,
        description: "The life of the tokens that they are exchanged for, from 60 to 3600 seconds.",
      }),
    }),
  },
  success: {
    description: "The trust rule was created.",
    fields: (t) => ({
      trustRule: t.field({ type: TrustRuleRef, description: "The trust rule.", resolve: ({ value }) => value }),
    }),
  },
  run: ({ createTrustRule }, caller, { input }) => createTrustRule(caller, input),
});

mutation("deleteTrustRule", {
  description: "Deletes a trust rule. The tokens that it gave end at once.",
  argument: "The trust rule to delete.",
  input: {
    description: "The trust rule to delete.",
    fields: (t) => ({ trustRuleId: t.id({ required: true, description: "The trust rule." }) }),
  },
  success: deletedSuccess("The trust rule and its tokens have ended.", "The id of the trust rule."),
  run: ({ deleteTrustRule }, caller, { input }) => deleteTrustRule(caller, input),
});
