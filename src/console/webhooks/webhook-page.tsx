import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { WebhookDocument, type WebhookQuery } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { OrganizationPage } from "../organization/organization-page.tsx";
import { Fact, Facts } from "../parts/facts.tsx";
import { ListState } from "../parts/list-state.tsx";
import { Ago } from "../parts/time.tsx";
import { useReread } from "../parts/use-reread.ts";
import { useTick } from "../parts/use-tick.ts";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import { DeliveryItem } from "./delivery-item.tsx";
import { WebhookCommands } from "./webhook-commands.tsx";
import { DeliveryCounts, WebhookState } from "./webhook-state.tsx";

type ShownWebhook = Extract<NonNullable<WebhookQuery["node"]>, { __typename: "Webhook" }>;

/** A webhook: what it sends, its deliveries, and the commands about it. */
export function WebhookPage() {
  return <OrganizationPage title="Webhook">{({ slug }) => <WebhookView organization={slug} />}</OrganizationPage>;
}

function WebhookView({ organization }: { organization: string }) {
  const { webhook: id } = useParams({ from: "/shell/o/$organization/webhooks/$webhook" });
  const { after } = useSearch({ from: "/shell/o/$organization/webhooks/$webhook" });
  const navigate = useNavigate();
  const [read, onChange] = useDocument(WebhookDocument, { id, after: after ?? null });
  const reread = useReread(onChange);
  useTick(onChange);
  const node = read.data?.node;
  if (node == null || node.__typename !== "Webhook") {
    return <ListState read={read} count={0} empty="There is no such webhook that you may see." />;
  }
  return (
    <>
      <WebhookFacts webhook={node} />
      <WebhookCommands
        webhook={node}
        onChange={() => {
          onChange();
          // A message is sent soon after its command.
          reread();
        }}
        onDeleted={() => void navigate({ to: "/o/$organization/webhooks", params: { organization } })}
      />
      <section className="panel" aria-label="Deliveries">
        <h2>Deliveries</h2>
        <ListState read={read} count={node.deliveries.edges.length} empty="Nothing was sent yet." />
        {node.deliveries.edges.map(({ node: delivery }) => (
          <DeliveryItem
            key={delivery.id}
            delivery={delivery}
            onChange={() => {
              onChange();
              reread();
            }}
          />
        ))}
      </section>
      {node.deliveries.pageInfo.hasNextPage && node.deliveries.pageInfo.endCursor != null && (
        <Link
          to="/o/$organization/webhooks/$webhook"
          params={{ organization, webhook: id }}
          search={{ after: node.deliveries.pageInfo.endCursor }}
        >
          Older deliveries
        </Link>
      )}
    </>
  );
}

function WebhookFacts({ webhook }: { webhook: ShownWebhook }) {
  const { url, description, events, createdAt, createdBy, workspace } = webhook;
  return (
    <Facts>
      <Fact name="Address">
        <code>{visible(url)}</code>
      </Fact>
      {description != null && <Fact name="Purpose">{visible(description)}</Fact>}
      <Fact name="State">
        <WebhookState webhook={webhook} />
      </Fact>
      <Fact name="Newest deliveries">
        <DeliveryCounts webhook={webhook} />
      </Fact>
      <Fact name="Events">
        {events.map(wordsOf).join(", ")}
        {workspace != null && ` of ${workspace.name}`}
      </Fact>
      <Fact name="Made">
        <Ago at={createdAt} /> by {visible(createdBy.name)}
      </Fact>
    </Facts>
  );
}
