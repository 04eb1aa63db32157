import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { TokenCaller } from "../../model/people/permission.ts";
import { invalidField, notFound } from "../../model/kit/user-error.ts";
import type { Webhook } from "../../model/webhook/webhook.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findOrganizations } from "../../persistence/organization/organization-store.ts";
import { countWebhooks, insertWebhook } from "../../persistence/webhook/webhook-store.ts";
import type { Deps } from "../kit/deps.ts";
import { recorded } from "../kit/guard.ts";
import { InputCheck } from "../kit/input.ts";
import { lookUpWorkspace } from "../workspace/look-up-workspace.ts";
import { newWebhookSecret } from "./signature.ts";
import { authorizeWebhooks } from "./webhook-command.ts";
import type { CreateWebhookInput, WebhookWithSecret } from "./webhook-domain.ts";
import { checkEvents, checkSecret, checkUrl } from "./webhook-input.ts";

/** Makes a webhook; its secret is in the answer and is never shown again. */
export function createWebhook(deps: Deps, caller: TokenCaller, input: CreateWebhookInput): Promise<WebhookWithSecret> {
  const { organizationId, workspaceId, url, description } = input;
  return recorded(deps, caller, "createWebhook", workspaceId ?? organizationId, () =>
    deps.database.transaction(async (tx) => {
      await requirePlace(tx, input);
      authorizeWebhooks(caller);
      const check = new InputCheck();
      checkUrl(check, url, deps.webhookAllow);
      checkEvents(check, input.events);
      checkSecret(check, input.secret);
      check.text("description", description);
      check.done();
      // Those who create at the same time may go over it: it keeps a script in bounds, nothing depends on it.
      if ((await countWebhooks(tx, organizationId)) >= LIMITS.webhooksPerOrganization) {
        const message = `has ${LIMITS.webhooksPerOrganization} webhooks already, which is the limit.`;
        throw invalidField("organizationId", message);
      }
      const webhook: Webhook = {
        id: deps.newId("webhook"),
        organizationId,
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
    }),
  );
}

async function requirePlace(tx: Transaction, { organizationId, workspaceId }: CreateWebhookInput): Promise<void> {
  const known = idKind(organizationId) === "organization";
  const [organization = null] = known ? await findOrganizations(tx, [organizationId]) : [];
  if (organization === null) throw notFound("organization");
  if (workspaceId === null) return;
  const workspace = await lookUpWorkspace(tx, workspaceId);
  if (workspace?.organizationId !== organizationId) throw notFound("workspace");
}
