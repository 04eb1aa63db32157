import { LIMITS } from "../../model/kit/limits.ts";
import type { Actor } from "../../model/people/actor.ts";
import type { Member } from "../../model/people/member.ts";
import { builder } from "../kit/builder.ts";
import { connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { namePosition } from "../kit/cursor.ts";
import { checkSearch } from "../kit/search-filter.ts";
import { pageArgs, toPageRequest } from "../kit/page.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { loaderOf } from "../kit/loader.ts";
import { mutation, type Success } from "../kit/mutation.ts";
import { OrganizationRef } from "../kit/refs.ts";
import { ActorRef, actorLoader } from "./actor.ts";

const accountsLoader = loaderOf((domain, caller, ids) => domain.serviceAccountsOfOrganizations(caller, ids));

builder.objectField(OrganizationRef, "serviceAccounts", (t) =>
  t.field({
    type: [ActorRef],
    extensions: requiredPermissions("MEMBER_READ"),
    description: "The machine users of the organization by name. Empty without the permission MEMBER_READ.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(accountsLoader, id),
  }),
);

const membersLoader = loaderOf((domain, caller, ids) => domain.membersOfOrganizations(caller, ids));

const MemberRef = builder.objectRef<Omit<Member, "organizationId">>("OrganizationMember").implement({
  extensions: requiredPermissions("MEMBER_READ"),
  description: "A person or a machine user of an organization: by a grant, by a team, or because it was created there.",
  fields: (t) => ({
    actor: t.field({
      type: ActorRef,
      description: "The person or the machine user.",
      resolve: ({ actor }) => actor,
    }),
    email: t.exposeString("email", { nullable: true, description: "The e-mail address. `null` if none is known." }),
    lastSeenAt: t.expose("lastSeenAt", {
      type: "DateTime",
      nullable: true,
      description: "When it last used a token, to the minute. `null` if it never did.",
    }),
    disabledAt: t.expose("disabledAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was disabled. `null` if it is enabled.",
    }),
    invitedBy: t.field({
      type: ActorRef,
      nullable: true,
      description: "The actor that invited the person. `null` if it has no invitation.",
      resolve: ({ invitedById }, _args, { loaders }) =>
        invitedById === null ? null : loaders.load(actorLoader, invitedById),
    }),
    countsAloneAt: t.expose("countsAloneAt", {
      type: "DateTime",
      nullable: true,
      description:
        "When a person with an invitation begins, or began, to count as one of its own at gates: before, it counts as the one that invited it. `null` if it did from the start.",
    }),
  }),
});

builder.objectField(OrganizationRef, "members", (t) =>
  t.field({
    type: [MemberRef],
    extensions: requiredPermissions("MEMBER_READ"),
    description:
      "The people and machine users of the organization by name, disabled ones included. Empty without the permission MEMBER_READ.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(membersLoader, id),
  }),
);

type ListedMember = Omit<Member, "organizationId">;
const LIST = "actors";
const EdgeRef = edgeRef<ListedMember>("OrganizationMember", "person or machine user");
const ConnectionRef = connectionRef<ListedMember>("OrganizationMember", "A page of people and machine users.");
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: MemberRef, description: "The person or the machine user.", resolve: (edge) => edge.node }),
);
builder.objectField(ConnectionRef, "edges", (t) =>
  t.field({
    type: [EdgeRef],
    description: "The people and machine users.",
    resolve: (connection) => connection.edges,
  }),
);

builder.queryField("actors", (t) =>
  t.field({
    type: ConnectionRef,
    description:
      "The people of the installation, then its machine users, each newest first, disabled ones included. Empty without the permission MEMBER_READ on it; `Organization.members` lists those of one organization.",
    args: {
      ...pageArgs(),
      ...builder.args((t) => ({
        search: t.string({
          description: `Only those whose name contains this text, without regard to case; at most ${LIMITS.searchTextLength} characters.`,
        }),
      })),
    },
    resolve: async (_root, { search, ...args }, { caller, domain }) => {
      checkSearch(["search"], search);
      const request = toPageRequest(args, { name: LIST, position: namePosition });
      return toConnection(LIST, await domain.listMembers(caller, request, search ?? null), ({ actor }) => actor.id);
    },
  }),
);

function actorSuccess(description: string): Success<Actor> {
  return {
    description,
    fields: (t) => ({
      actor: t.field({ type: ActorRef, description: "The person or the machine user.", resolve: ({ value }) => value }),
    }),
  };
}

mutation("createServiceAccount", {
  description: "Creates a machine user of an organization. It has no rights until it is granted some.",
  argument: "The machine user.",
  input: {
    description: "The machine user to create.",
    fields: (t) => ({
      organizationId: t.id({ required: true, description: "The organization." }),
      name: t.string({ required: true, description: "The display name." }),
    }),
  },
  success: actorSuccess("The machine user was created."),
  run: ({ createServiceAccount }, caller, { input }) => createServiceAccount(caller, input),
});

mutation("disableUser", {
  description: "Disables a person or a machine user: its credentials are refused from the next request on.",
  argument: "The person or the machine user.",
  input: {
    description: "The person or the machine user to disable. Grants stay, and count again once it is enabled.",
    fields: (t) => ({ userId: t.id({ required: true, description: "The person or the machine user." }) }),
  },
  success: actorSuccess("It is disabled."),
  run: ({ disableUser }, caller, { input }) => disableUser(caller, input),
});

mutation("enableUser", {
  description: "Enables a person or a machine user again, with the grants that it has.",
  argument: "The person or the machine user.",
  input: {
    description: "The person or the machine user to enable.",
    fields: (t) => ({ userId: t.id({ required: true, description: "The person or the machine user." }) }),
  },
  success: actorSuccess("It is enabled."),
  run: ({ enableUser }, caller, { input }) => enableUser(caller, input),
});
