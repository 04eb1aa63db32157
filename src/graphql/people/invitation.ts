import type { Invitation } from "../../model/people/invitation.ts";
import { builder } from "../kit/builder.ts";
import { present } from "../kit/errors.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { loaderOf } from "../kit/loader.ts";
import { mutation } from "../kit/mutation.ts";
import { OrganizationRef, TeamRef, teamLoader } from "../kit/refs.ts";
import { revokedSuccess } from "../kit/success.ts";
import { ActorRef, actorLoader } from "./actor.ts";

const invitationsLoader = loaderOf((domain, caller, ids) => domain.invitationsOfOrganizations(caller, ids));

const InvitationRef = builder.objectRef<Invitation>("Invitation").implement({
  extensions: requiredPermissions("MEMBER_READ"),
  description: "A link by which a new person makes a passkey and becomes a member of teams. It is good once.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "The id." }),
    actor: t.field({
      type: ActorRef,
      description: "The person. It cannot sign in before the invitation is accepted.",
      resolve: ({ actor }) => actor,
    }),
    email: t.exposeString("email", { nullable: true, description: "The e-mail address. `null` if none was given." }),
    teams: t.field({
      type: [TeamRef],
      description: "The teams that the person will be a member of, without those that were deleted.",
      resolve: async ({ teamIds }, _args, { loaders }) => {
        const teams = await Promise.all(teamIds.map((id) => loaders.load(teamLoader, id)));
        return teams.filter((team) => team !== null);
      },
    }),
    invitedBy: t.field({
      type: ActorRef,
      description: "The actor that invited the person.",
      resolve: async ({ invitedById }, _args, { loaders }) =>
        present(await loaders.load(actorLoader, invitedById), `Actor ${invitedById}`),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", description: "When it ends." }),
  }),
});

builder.objectField(OrganizationRef, "invitations", (t) =>
  t.field({
    type: [InvitationRef],
    extensions: requiredPermissions("MEMBER_READ"),
    description: "The invitations that can still be accepted, oldest first. Empty without the permission MEMBER_READ.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(invitationsLoader, id),
  }),
);

mutation("inviteMember", {
  description: "Invites a new person by a link. The person makes a passkey with it: no identity provider is needed.",
  argument: "The person to invite.",
  input: {
    description: "The person to invite. No message is sent: pass the link on yourself.",
    fields: (t) => ({
      organizationId: t.id({ required: true, description: "The organization." }),
      name: t.string({ required: true, description: "The display name of the person." }),
      email: t.string({ description: "The e-mail address, which members with MEMBER_READ see." }),
      teamIds: t.idList({
        required: true,
        defaultValue: [],
        description: "Teams of the organization that the person will be a member of.",
      }),
      expiresAt: t.field({
        type: "DateTime",
        description: "When the link ends, within 7 days. If absent, it ends after 7 days.",
      }),
    }),
  },
  success: {
    description: "The person was invited.",
    fields: (t) => ({
      invitation: t.field({
        type: InvitationRef,
        description: "The invitation.",
        resolve: ({ value }) => value.invitation,
      }),
      url: t.string({
        description: "The link, which is good once. It is never shown again.",
        resolve: ({ value }) => value.url,
      }),
    }),
  },
  run: ({ inviteMember }, caller, { input }) =>
    inviteMember(caller, { ...input, email: input.email ?? null, expiresAt: input.expiresAt ?? null }),
});

mutation("revokeInvitation", {
  description: "Revokes an invitation that was not accepted.",
  argument: "The invitation to revoke.",
  input: {
    description: "The invitation to revoke.",
    fields: (t) => ({ invitationId: t.id({ required: true, description: "The invitation." }) }),
  },
  success: revokedSuccess("The link no longer works.", "The id of the invitation."),
  run: ({ revokeInvitation }, caller, { input }) => revokeInvitation(caller, input),
});
