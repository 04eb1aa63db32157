import { TextField } from "../parts/text-field.tsx";
import { hasField, type KindFieldsOf } from "./probe-kinds.ts";

/** The fields of what a probe of a kind expects. */
export function AnswerFields({ kind, probe }: KindFieldsOf) {
  const expect = probe?.expect;
  return (
    <>
      {hasField(kind, "statuses") && (
        <TextField
          name="statuses"
          label="Good statuses"
          hint="With commas, such as 200, 4xx. Without any: 2xx and 3xx."
          defaultValue={expect?.statuses.join(", ") ?? ""}
        />
      )}
      {hasField(kind, "bodyContains") && (
        <TextField name="bodyContains" label="A good answer contains" defaultValue={expect?.bodyContains ?? ""} />
      )}
      {hasField(kind, "expression") && (
        <TextField
          name="expression"
          label="Is true of a good answer"
          hint='In CEL, such as json.database == "up".'
          defaultValue={expect?.expression ?? ""}
        />
      )}
      {hasField(kind, "maxLatencyMs") && (
        <TextField
          name="maxLatencyMs"
          label="Slow after milliseconds"
          type="number"
          min={1}
          defaultValue={expect?.maxLatencyMs ?? ""}
        />
      )}
      {hasField(kind, "certificateDays") && (
        <TextField
          name="certificateDays"
          label="Days for which the certificate must be valid"
          type="number"
          min={1}
          defaultValue={expect?.certificateDays ?? ""}
        />
      )}
    </>
  );
}
