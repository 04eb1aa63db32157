import type { Place } from "../../model/people/place.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import type { Webhook } from "../../model/webhook/webhook.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { countWebhooks, insertWebhook } from "../../persistence/webhook/webhook-store.ts";
import type { Deps } from "../kit/deps.ts";
import { command } from "../access/command.ts";
import type { InputCheck } from "../kit/input.ts";
import { lookUpOrganization } from "../organization/look-up-organization.ts";
import { lookUpWorkspace } from "../workspace/look-up-workspace.ts";
import { checkTargetUrl } from "../network/target-url.ts";
import { newWebhookSecret } from "./signature.ts";
import { WITH_WEBHOOKS } from "./webhook-command.ts";
import type { CreateWebhookInput, WebhookWithSecret } from "./webhook-domain.ts";
import { checkEvents, checkSecret } from "./webhook-input.ts";

/** Creates a webhook. The secret is returned only here. */
export function createWebhook(deps: Deps, caller: ActorCaller, input: CreateWebhookInput): Promise<WebhookWithSecret> {
  const { organizationId, workspaceId, url, description } = input;
  const spec = {
    ...WITH_WEBHOOKS,
    name: "createWebhook",
    subjectId: workspaceId ?? organizationId,
    noun: workspaceId === null ? "organization" : "workspace",
    find: (tx: Transaction) => findPlace(tx, input),
    placeOf: (place: Place) => place,
    sight: workspaceId === null ? "ORGANIZATION_READ" : "WORKSPACE_READ",
    check: (check: InputCheck) => {
      checkTargetUrl(check, url, deps.webhookAllow);
      checkEvents(check, input.events);
      checkSecret(check, input.secret);
      check.text("description", description);
    },
  } as const;
  return command(deps, caller, spec, async (tx, place) => {
    // Concurrent requests may exceed the limit, which only bounds a runaway script.
    if ((await countWebhooks(tx, organizationId)) >= LIMITS.webhooksPerOrganization) {
      const message = `has ${LIMITS.webhooksPerOrganization} webhooks, which is the limit. Delete one first.`;
      throw invalidField("organizationId", message);
    }
    const webhook: Webhook = {
      id: deps.newId("webhook"),
      organizationId,
      projectId: place.projectId,
      workspaceId,
      url,
      events: [...new Set(input.events)],
      description,
      enabled: true,
      goneAt: null,
      createdById: caller.actor.id,
      createdAt: deps.clock().toISOString(),
    };
    const secret = input.secret ?? newWebhookSecret(deps.randomBytes);
    await insertWebhook(tx, deps.cipher, { ...webhook, secret });
    return { webhook, secret };
  });
}

/** Returns the place of the new webhook; `null` if there is no such organization, or no such workspace in it. */
async function findPlace(tx: Transaction, { organizationId, workspaceId }: CreateWebhookInput): Promise<Place | null> {
  const organization = await lookUpOrganization(tx, organizationId);
  const workspace = workspaceId === null ? null : await lookUpWorkspace(tx, workspaceId);
  const isThere = workspaceId === null || workspace?.organizationId === organizationId;
  if (organization === null || !isThere) return null;
  return { organizationId, projectId: workspace?.projectId ?? null, workspaceId };
}
