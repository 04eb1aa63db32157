import type { MembershipSource, Team, TeamMember } from "../../model/people/team.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { present } from "../kit/errors.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { loaderOf } from "../kit/loader.ts";
import { mutation, type Success } from "../kit/mutation.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import { OrganizationRef, organizationLoader, TeamRef, teamLoader } from "../kit/refs.ts";
import { deletedSuccess } from "../kit/success.ts";
import { ActorRef, actorLoader } from "./actor.ts";

const teamsLoader = loaderOf((domain, caller, ids) => domain.teamsOfOrganizations(caller, ids));
const membersLoader = loaderOf((domain, caller, ids) => domain.membersOfTeams(caller, ids));

const MembershipSourceEnum = describedEnum<MembershipSource>("MembershipSource", "How a member came into a team.", {
  MANUAL: "By a command.",
  LOGIN: "By a group of the identity provider, at the last sign-in.",
});

const TeamMemberRef = builder.objectRef<TeamMember>("TeamMember").implement({
  extensions: requiredPermissions("MEMBER_READ"),
  description: "A person or a machine user in a team.",
  fields: (t) => ({
    actor: t.field({
      type: ActorRef,
      description: "The member.",
      resolve: async ({ actorId }, _args, { loaders }) =>
        present(await loaders.load(actorLoader, actorId), `Actor ${actorId}`),
    }),
    source: t.expose("source", { type: MembershipSourceEnum, description: "How it became a member." }),
    addedAt: t.expose("addedAt", { type: "DateTime", description: "When it became a member." }),
    lapsesAt: t.expose("lapsesAt", {
      type: "DateTime",
      nullable: true,
      description: "When the membership ends unless it is confirmed again. `null` if it does not.",
    }),
  }),
});

addNode("team", "Team", teamLoader);
TeamRef.implement({
  extensions: requiredPermissions("MEMBER_READ"),
  description: "People of an organization who get the same grants.",
  interfaces: [NodeRef],
  fields: (t) => ({
    name: t.exposeString("name", { description: "The name, unique within the organization." }),
    organization: t.field({
      type: OrganizationRef,
      description: "The organization of the team.",
      resolve: async ({ id, organizationId }, _args, { loaders }) =>
        present(await loaders.load(organizationLoader, organizationId), `Organization of ${id}`),
    }),
    externalIds: t.stringList({
      description: "The groups of the identity provider whose people are members.",
      resolve: ({ externalIds }) => [...externalIds],
    }),
    members: t.field({
      type: [TeamMemberRef],
      description: "The members, those first who were added first.",
      resolve: ({ id }, _args, { loaders }) => loaders.load(membersLoader, id),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
  }),
});

builder.objectField(OrganizationRef, "teams", (t) =>
  t.field({
    type: [TeamRef],
    description: "The teams of the organization by name. Empty without the permission MEMBER_READ.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(teamsLoader, id),
  }),
);

function teamSuccess(description: string): Success<Team> {
  return {
    description,
    fields: (t) => ({ team: t.field({ type: TeamRef, description: "The team.", resolve: ({ value }) => value }) }),
  };
}

const NAME = "The name, unique within the organization.";
const EXTERNAL_IDS = "The groups of the identity provider whose people become members when they sign in.";

mutation("createTeam", {
  description: "Creates a team without members.",
  argument: "The team.",
  input: {
    description: "The team to create.",
    fields: (t) => ({
      organizationId: t.id({ required: true, description: "The organization." }),
      name: t.string({ required: true, description: NAME }),
      externalIds: t.stringList({ required: true, defaultValue: [], description: EXTERNAL_IDS }),
    }),
  },
  success: teamSuccess("The team was created."),
  run: ({ createTeam }, caller, { input }) => createTeam(caller, input),
});

mutation("updateTeam", {
  description: "Changes a team.",
  argument: "The team and its changes.",
  input: {
    description: "The changes to a team. An absent field is not changed.",
    fields: (t) => ({
      teamId: t.id({ required: true, description: "The team." }),
      name: t.string({ description: NAME }),
      externalIds: t.stringList({ description: EXTERNAL_IDS }),
    }),
  },
  success: teamSuccess("The team was changed."),
  run: ({ updateTeam }, caller, { input }) => updateTeam(caller, input),
});

mutation("deleteTeam", {
  description:
    "Deletes a team. Its members lose what it was granted, at once. Refused while an approval rule of the organization or of a workspace names it.",
  argument: "The team to delete.",
  input: {
    description: "The team to delete.",
    fields: (t) => ({ teamId: t.id({ required: true, description: "The team." }) }),
  },
  success: deletedSuccess("The team is deleted, and its name is free.", "The id of the team."),
  run: ({ deleteTeam }, caller, { input }) => deleteTeam(caller, input),
});

mutation("addTeamMember", {
  description: "Adds a member to a team. The caller must have itself what the team was granted.",
  argument: "The team and the member.",
  input: {
    description: "The member to add. One that is in the team already stays.",
    fields: (t) => ({
      teamId: t.id({ required: true, description: "The team." }),
      actorId: t.id({ required: true, description: "The person or the machine user." }),
    }),
  },
  success: teamSuccess("The member is in the team."),
  run: ({ addTeamMember }, caller, { input }) => addTeamMember(caller, input),
});

mutation("removeTeamMember", {
  description: "Removes a member from a team, which ends its rights by the team at once.",
  argument: "The team and the member.",
  input: {
    description: "The member to remove.",
    fields: (t) => ({
      teamId: t.id({ required: true, description: "The team." }),
      actorId: t.id({ required: true, description: "The person or the machine user." }),
    }),
  },
  success: teamSuccess("The member is no longer in the team."),
  run: ({ removeTeamMember }, caller, { input }) => removeTeamMember(caller, input),
});
