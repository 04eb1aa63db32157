import { Link } from "@tanstack/react-router";
import { OrganizationRulesDocument, type WorkspaceRulesFragment } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { Fact, Facts } from "../parts/facts.tsx";
import { useTick } from "../parts/use-tick.ts";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import { ApprovalRules, RuleText } from "../rules/approval-rules.tsx";
import { FreezeWindows, WindowText } from "../rules/freeze-windows.tsx";
import { workspaceRules } from "../rules/rules-owner.ts";
import { AUTO_APPLIES, PLAN_APPROVALS } from "./gate-fields.tsx";

interface RulesOf {
  readonly workspace: WorkspaceRulesFragment & { readonly name: string };
  readonly canWrite: boolean;
  readonly onChange: () => void;
}

/** Gates, rules of approvals, freeze windows and policies of a workspace: its own, and those of its organization. */
export function Rules({ workspace, canWrite, onChange }: RulesOf) {
  const {
    planApproval,
    autoApply,
    interruptApply,
    tasksAllowed,
    approvalRules,
    freezeWindows,
    policySets,
    organization,
  } = workspace;
  const owner = canWrite ? workspaceRules(workspace, organization.slug, onChange) : null;
  // The cache has each organization once: what is read here is shown below.
  const [, reload] = useDocument(OrganizationRulesDocument, { organization: organization.slug });
  useTick(reload);
  const isFree = approvalRules.length + organization.approvalRules.length === 0;
  return (
    <section className="panel" aria-label="Rules">
      <h2>Rules</h2>
      <Facts>
        <Fact name="Plans">{textOf(PLAN_APPROVALS, planApproval)}</Fact>
        <Fact name="Applied without a person">{textOf(AUTO_APPLIES, autoApply)}</Fact>
        <Fact name="Stops of an apply">{interruptApply ? "permitted" : "not permitted"}</Fact>
        <Fact name="Tasks">{tasksAllowed ? "permitted" : "not permitted"}</Fact>
        {policySets.length > 0 && (
          <Fact name="Policies">
            {policySets.map(({ id, name }, at) => (
              <span key={id}>
                {at > 0 && ", "}
                <Link to="/o/$organization/policies/$set" params={{ organization: organization.slug, set: id }}>
                  {visible(name)}
                </Link>
              </span>
            ))}
          </Fact>
        )}
      </Facts>
      <OrganizationRules organization={organization} />
      {isFree && <p>One approval at each gate, by anyone who may approve.</p>}
      <ApprovalRules rules={approvalRules} owner={owner} />
      <FreezeWindows windows={freezeWindows} owner={owner} />
    </section>
  );
}

/** The rules that the workspace has from its organization; nothing where there are none. */
function OrganizationRules({ organization }: { organization: WorkspaceRulesFragment["organization"] }) {
  const { slug, name, approvalRules, freezeWindows } = organization;
  if (approvalRules.length + freezeWindows.length === 0) return null;
  return (
    <>
      <p>
        From{" "}
        <Link to="/o/$organization/rules" params={{ organization: slug }}>
          {visible(name)}
        </Link>
        :
      </p>
      <ul aria-label={`Rules of ${visible(name)}`}>
        {approvalRules.map((rule) => (
          <li key={`rule ${rule.name}`}>
            <RuleText rule={rule} />
          </li>
        ))}
        {freezeWindows.map((window) => (
          <li key={`window ${window.name}`}>
            <WindowText window={window} />
          </li>
        ))}
      </ul>
    </>
  );
}

function textOf(choices: readonly (readonly [value: string, text: string])[], value: string): string {
  return choices.find(([known]) => known === value)?.[1] ?? wordsOf(value);
}
