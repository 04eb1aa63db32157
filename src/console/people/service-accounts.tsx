import { CreateServiceAccountDocument, MachineTokensDocument } from "../generated/graphql.ts";
import { NewToken } from "../account/new-token.tsx";
import { TokenTable } from "../account/token-table.tsx";
import { useDocument } from "../live/documents.ts";
import { Commands } from "../parts/commands.tsx";
import { textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { ListState } from "../parts/list-state.tsx";
import { TextField } from "../parts/text-field.tsx";
import { useTick } from "../parts/use-tick.ts";
import { visible } from "../parts/visible.ts";
import type { PeopleSection } from "./people-section.ts";
import { NewTrustRule, TrustRules } from "./trust-rules.tsx";

const RIGHTS = "It has the rights that the service account has: give it a role, itself or by a team.";

/** The service accounts of an organization with their trust rules, and with their tokens for those who may see tokens. */
export function ServiceAccounts({ organization, onChange }: PeopleSection) {
  const { id: organizationId, serviceAccounts, viewerPermissions } = organization;
  const canSeeTokens = viewerPermissions.includes("TOKEN_WRITE");
  const [read, reload] = useDocument(MachineTokensDocument, { organizationId }, { pause: !canSeeTokens });
  useTick(() => canSeeTokens && reload());
  const tokens = read.data?.tokens.edges.map(({ node }) => node) ?? [];
  return (
    <section className="panel" aria-label="Service accounts">
      <h2>Service accounts</h2>
      {viewerPermissions.includes("MEMBER_WRITE") && (
        <Commands>
          <FormCommand
            document={CreateServiceAccountDocument}
            label="New service account"
            title="New service account"
            submit="Create the service account"
            inputOf={(form) => ({ organizationId, name: textOfField(form, "name") })}
            onDone={onChange}
          >
            <p>It has no rights until it gets a role, itself or by a team.</p>
            <TextField name="name" label="Name" required placeholder="pipeline" />
          </FormCommand>
        </Commands>
      )}
      <ListState read={read} count={serviceAccounts.length} empty="There is no service account yet." />
      {serviceAccounts.map((account) => {
        const own = tokens.filter(({ actor }) => actor.id === account.id);
        const name = visible(account.name);
        return (
          <section key={account.id} aria-label={`Service account ${name}`}>
            <h3>
              {name} {canSeeTokens && own.length === 0 && <span className="quiet">without a token</span>}
            </h3>
            <TrustRules
              account={account}
              rules={"trustRules" in account ? account.trustRules : []}
              canWrite={canSeeTokens}
              onChange={onChange}
            />
            {own.length > 0 && <TokenTable label={`Tokens of ${name}`} tokens={own} onChange={reload} />}
            {canSeeTokens && (
              <Commands>
                <NewToken owner={account} label={`New token of ${name}`} rights={RIGHTS} onDone={reload} />
                <NewTrustRule account={account} onChange={onChange} />
              </Commands>
            )}
          </section>
        );
      })}
      {read.data?.tokens.pageInfo.hasNextPage === true && (
        <p className="quiet">Only the newest 100 tokens are shown.</p>
      )}
    </section>
  );
}
