import type { WebhookRowFragment } from "../generated/graphql.ts";
import { Mark } from "../parts/mark.tsx";
import { Ago } from "../parts/time.tsx";
import { wordsOf, type Tone } from "../parts/words.ts";

/** How many deliveries of each webhook the list reads. */
const NEWEST = 20;
/** A later release may have more states, which are shown as work. */
const TONES: Readonly<Record<string, Tone>> = { DELIVERED: "good", FAILED: "bad", PENDING: "busy", CANCELED: "quiet" };

/** Whether a webhook sends messages, and why it does not. */
export function WebhookState({ webhook: { enabled, goneAt } }: { webhook: WebhookRowFragment }) {
  if (enabled) return <Mark tone="good">on</Mark>;
  if (goneAt == null) return <Mark tone="quiet">off</Mark>;
  return (
    <Mark tone="bad">
      off: its target answered 410 Gone, <Ago at={goneAt} />
    </Mark>
  );
}

/** The state of a delivery. */
export function DeliveryState({ state, children }: { state: string; children?: React.ReactNode }) {
  return (
    <Mark tone={TONES[state] ?? "busy"}>
      {children}
      {wordsOf(state)}
    </Mark>
  );
}

/** The newest deliveries of a webhook, counted by their state. */
export function DeliveryCounts({ webhook: { newest } }: { webhook: WebhookRowFragment }) {
  const states = newest.edges.map(({ node }) => node.state);
  if (states.length === 0) return <span className="quiet">nothing sent yet</span>;
  return (
    <>
      {[...new Set(states)].toSorted().map((state) => (
        <span key={state}>
          <DeliveryState state={state}>{states.filter((other) => other === state).length} </DeliveryState>{" "}
        </span>
      ))}
      {states.length === NEWEST && <span className="quiet">of the newest {NEWEST}</span>}
    </>
  );
}
