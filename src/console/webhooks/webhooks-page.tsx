import { Link } from "@tanstack/react-router";
import { CreateWebhookDocument, WebhooksDocument, type WebhookRowFragment } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { OrganizationPage } from "../organization/organization-page.tsx";
import { textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { ListState } from "../parts/list-state.tsx";
import { Table } from "../parts/table.tsx";
import { useTick } from "../parts/use-tick.ts";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import { WorkspaceChoice } from "../parts/workspace-choice.tsx";
import { readWebhook, WebhookFields } from "./webhook-fields.tsx";
import { DeliveryCounts, WebhookState } from "./webhook-state.tsx";

/** The webhooks of an organization, with the states of their newest deliveries. */
export function WebhooksPage() {
  return (
    <OrganizationPage title="Webhooks">
      {({ id, slug }) => <WebhooksView organizationId={id} organization={slug} />}
    </OrganizationPage>
  );
}

function WebhooksView({ organizationId, organization }: { organizationId: string; organization: string }) {
  const [read, onChange] = useDocument(WebhooksDocument, { organization });
  useTick(onChange);
  const found = read.data?.organization;
  const webhooks = found?.webhooks ?? [];
  const canWrite = found?.viewerPermissions.includes("WEBHOOK_WRITE") === true;
  const empty = canWrite ? "There is no webhook yet." : "Webhooks are shown to those who may change them.";
  return (
    <>
      {canWrite && (
        <p>
          <FormCommand
            document={CreateWebhookDocument}
            label="New webhook"
            title="New webhook"
            submit="Create the webhook"
            inputOf={(form) => ({
              ...readWebhook(form),
              organizationId,
              workspaceId: textOfField(form, "workspaceId") || null,
            })}
            secretOf={({ secret }) => ({ name: "The secret that signs messages", secret })}
            onDone={onChange}
          >
            <WebhookFields />
            <WorkspaceChoice
              organization={organization}
              name="workspaceId"
              label="Workspaces"
              others={[["", "All workspaces"]]}
            />
          </FormCommand>
        </p>
      )}
      <div className="panel">
        <ListState read={read} count={webhooks.length} empty={empty} />
        {webhooks.length > 0 && (
          <Table label="Webhooks" heads={["Address", "State", "Newest deliveries", "Events"]}>
            {webhooks.map((webhook) => (
              <WebhookRow key={webhook.id} webhook={webhook} organization={organization} />
            ))}
          </Table>
        )}
      </div>
    </>
  );
}

function WebhookRow({ webhook, organization }: { webhook: WebhookRowFragment; organization: string }) {
  const { id, url, description, events, workspace } = webhook;
  return (
    <tr>
      <td>
        <Link to="/o/$organization/webhooks/$webhook" params={{ organization, webhook: id }}>
          {visible(url)}
        </Link>
        {description != null && <div className="quiet">{visible(description)}</div>}
      </td>
      <td>
        <WebhookState webhook={webhook} />
      </td>
      <td>
        <DeliveryCounts webhook={webhook} />
      </td>
      <td>
        {events.map(wordsOf).join(", ")}
        {workspace != null && <span className="quiet"> of {workspace.name}</span>}
      </td>
    </tr>
  );
}
