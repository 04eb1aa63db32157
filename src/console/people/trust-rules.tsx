import {
  type ClaimConditionInput,
  CreateTrustRuleDocument,
  DeleteTrustRuleDocument,
  type TrustRuleRowFragment,
} from "../generated/graphql.ts";
import { Command } from "../parts/command.tsx";
import { numberOfField, textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { lazyPart } from "../parts/lazy-part.ts";
import { pairsOfField } from "../parts/pairs-of-field.ts";
import { Table } from "../parts/table.tsx";
import { Ago, durationOf } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";

const TrustRuleFields = lazyPart(() => import("./trust-rule-fields.tsx"), "TrustRuleFields");

interface TrustRulesOf {
  readonly account: { readonly id: string; readonly name: string };
  readonly rules: readonly TrustRuleRowFragment[];
  readonly canWrite: boolean;
  readonly onChange: () => void;
}

/** The tokens of other issuers that a service account trusts: programs with one of them need no token of Holdpoint. */
export function TrustRules({ account, rules, canWrite, onChange }: TrustRulesOf) {
  if (rules.length === 0) return null;
  const name = visible(account.name);
  const heads = ["Issuer", "Subject", "Audience", "Claims", "Token for", "Made"];
  return (
    <Table label={`Trust rules of ${name}`} heads={[...heads, ...(canWrite ? ["Commands"] : [])]}>
      {rules.map(({ id, issuer, subject, audience, claims, maxSeconds, createdAt }) => (
        <tr key={id}>
          <td>{visible(issuer)}</td>
          <td>
            <code>{visible(subject)}</code>
          </td>
          <td>{visible(audience)}</td>
          <td>
            {claims.map((claim) => (
              <div key={claim.name}>
                <code>{visible(textOfClaim(claim))}</code>
              </div>
            ))}
          </td>
          <td>{durationOf(maxSeconds)}</td>
          <td>
            <Ago at={createdAt} />
          </td>
          {canWrite && (
            <td>
              <Command
                document={DeleteTrustRuleDocument}
                input={{ trustRuleId: id }}
                label="Delete"
                question={{
                  title: `Delete the trust rule of ${name} for ${visible(subject)}`,
                  text: "Programs can sign in by it no longer, and the tokens that it gave end at once.",
                }}
                onDone={onChange}
              />
            </td>
          )}
        </tr>
      ))}
    </Table>
  );
}

/** A button with the form of a new trust rule. */
export function NewTrustRule({ account: { id, name }, onChange }: Pick<TrustRulesOf, "account" | "onChange">) {
  return (
    <FormCommand
      document={CreateTrustRuleDocument}
      label={`New trust rule of ${visible(name)}`}
      title={`New trust rule of ${visible(name)}`}
      submit="Create the trust rule"
      inputOf={(form) => ({
        serviceAccountId: id,
        issuer: textOfField(form, "issuer"),
        subject: textOfField(form, "subject"),
        audience: textOfField(form, "audience"),
        claims: readClaims(form),
        maxSeconds: numberOfField(form, "maxSeconds") ?? 0,
      })}
      onDone={onChange}
    >
      <TrustRuleFields />
    </FormCommand>
  );
}

const textOfClaim = ({ name, value }: ClaimConditionInput): string => `${name}=${value}`;

function readClaims(form: HTMLFormElement): ClaimConditionInput[] {
  const problem = "must be one claim a line, such as environment=production.";
  return pairsOfField(form, "claims", { separator: "=", problem }).map(([name, value]) => ({ name, value }));
}
