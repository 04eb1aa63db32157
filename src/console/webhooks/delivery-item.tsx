import { type DeliveryRowFragment, RedeliverWebhookDocument } from "../generated/graphql.ts";
import { Command } from "../parts/command.tsx";
import { Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import styles from "./delivery-item.module.css";
import { DeliveryState } from "./webhook-state.tsx";

/** A message that was sent, or is to be sent: its attempts, its text, and the command that sends it again. */
export function DeliveryItem({ delivery, onChange }: { delivery: DeliveryRowFragment; onChange: () => void }) {
  const { id, type, state, createdAt, nextAttemptAt, attempts } = delivery;
  const last = attempts.at(-1);
  return (
    <details className={styles["delivery"]} data-delivery={id}>
      <summary>
        <code>{visible(type)}</code> <DeliveryState state={state} />{" "}
        <span className="quiet">
          {last !== undefined && `${resultOf(last)} · `}
          {nextAttemptAt != null && (
            <>
              next <Ago at={nextAttemptAt} /> ·{" "}
            </>
          )}
          <Ago at={createdAt} />
        </span>
      </summary>
      <p>
        <Command
          document={RedeliverWebhookDocument}
          input={{ deliveryId: id }}
          label={state === "PENDING" ? "Send now" : "Send again"}
          onDone={onChange}
        />
      </p>
      {attempts.length > 0 && (
        <Table label="Attempts" heads={["Attempt", "At", "Took", "Result", "Response"]}>
          {attempts.map((attempt) => (
            <tr key={attempt.number}>
              <td>{attempt.number}</td>
              <td>
                <Ago at={attempt.at} />
              </td>
              <td>{attempt.durationMs} ms</td>
              <td>{resultOf(attempt)}</td>
              <td>{visible(attempt.response ?? "")}</td>
            </tr>
          ))}
        </Table>
      )}
      <h3>Message</h3>
      <pre className={styles["payload"]} tabIndex={0} aria-label="Message">
        {visible(indented(delivery.payload))}
      </pre>
    </details>
  );
}

function resultOf({ statusCode, error }: DeliveryRowFragment["attempts"][number]): string {
  return statusCode == null ? visible(error ?? "no response") : `HTTP ${statusCode}`;
}

/** Writes JSON with a line for each field; another text stays as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
