import { LinesField, TextField } from "../parts/text-field.tsx";

/** The fields of a new trust rule. */
export function TrustRuleFields() {
  return (
    <>
      <p>
        A program with such a token of another issuer, as a CI system gives its jobs, exchanges it for one with the
        rights of the service account.
      </p>
      <TextField
        name="issuer"
        label="Issuer"
        required
        placeholder="https://token.actions.githubusercontent.com"
        hint="The iss of the tokens: an https address at which the issuer publishes its keys."
      />
      <TextField
        name="subject"
        label="Subject"
        required
        placeholder="repo:acme/infrastructure:ref:refs/heads/main"
        hint="The sub of the tokens; * is any text."
      />
      <TextField
        name="audience"
        label="Audience"
        required
        hint="The aud of the tokens. Use the address of this server."
        defaultValue={location.origin}
      />
      <LinesField
        name="claims"
        label="Further claims (optional)"
        rows={3}
        hint="One a line, such as environment=production; * is any text."
      />
      <TextField
        name="maxSeconds"
        label="Seconds for which the exchanged token is good"
        type="number"
        required
        min={60}
        max={3600}
        defaultValue={3600}
      />
    </>
  );
}
