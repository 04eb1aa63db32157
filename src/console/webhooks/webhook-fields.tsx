import type { WebhookEvent, WebhookRowFragment } from "../generated/graphql.ts";
import { checkedOf, textOfField } from "../parts/field.ts";
import { BoxesField, TextField } from "../parts/text-field.tsx";
import { wordsOf } from "../parts/words.ts";

/** The events that a person can choose; the compiler finds one that is missing. */
const EVENTS: Readonly<Record<WebhookEvent, true>> = {
  RUN_GATE_WAITING: true,
  RUN_GATE_ESCALATED: true,
  RUN_ENDED: true,
  RUN_POLICY_DENIED: true,
  RUN_VERIFICATION_FAILED: true,
  RUN_ROLLBACK_PROPOSED: true,
  CHANGESET_APPLIED: true,
  DRIFT_FOUND: true,
  HOOK_MISSING: true,
  POLICY_ERRORED: true,
  POLICY_EXCEPTION_EXPIRING: true,
  WORKSPACE_EXPIRING: true,
  WORKSPACE_EXPIRY_FAILED: true,
  WORKSPACE_HEALTH_CHANGED: true,
  WORKSPACE_LOCKED: true,
  WORKSPACE_UNLOCKED: true,
};

const isEvent = (value: string): value is WebhookEvent => value in EVENTS;

/** The fields of a new webhook, or of one that is changed. */
export function WebhookFields({ webhook }: { webhook?: WebhookRowFragment }) {
  return (
    <>
      <TextField
        name="url"
        label="Address"
        type="url"
        required
        defaultValue={webhook?.url ?? ""}
        placeholder="https://hooks.example.com/holdpoint"
      />
      <TextField name="description" label="Purpose" defaultValue={webhook?.description ?? ""} />
      <BoxesField
        name="events"
        label="Events"
        checked={webhook?.events ?? ["RUN_GATE_WAITING", "RUN_ENDED"]}
        choices={Object.keys(EVENTS).map((event) => [event, wordsOf(event)] as const)}
      />
    </>
  );
}

/** Reads the fields of a webhook from a form. */
export function readWebhook(form: HTMLFormElement) {
  return {
    url: textOfField(form, "url"),
    description: textOfField(form, "description") || null,
    events: checkedOf(form, "events").filter(isEvent),
  };
}
