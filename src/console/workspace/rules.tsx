import { Link } from "@tanstack/react-router";
import type { WorkspaceRulesFragment } from "../generated/graphql.ts";
import { Fact, Facts } from "../parts/facts.tsx";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import { AUTO_APPLIES, PLAN_APPROVALS } from "./gate-fields.tsx";
import { conditionText, ruleText } from "./rule-text.ts";

type Window = WorkspaceRulesFragment["freezeWindows"][number];

/** Gates, rules of approvals, freeze windows and policies of a workspace. */
export function Rules({ workspace, organization }: { workspace: WorkspaceRulesFragment; organization: string }) {
  const { planApproval, autoApply, approvalRules, freezeWindows, policySets } = workspace;
  return (
    <section className="panel" aria-label="Rules">
      <h2>Rules</h2>
      <Facts>
        <Fact name="Plans">{textOf(PLAN_APPROVALS, planApproval)}</Fact>
        <Fact name="Applied without a person">{textOf(AUTO_APPLIES, autoApply)}</Fact>
        {policySets.length > 0 && (
          <Fact name="Policies">
            {policySets.map(({ id, name }, at) => (
              <span key={id}>
                {at > 0 && ", "}
                <Link to="/o/$organization/policies/$set" params={{ organization, set: id }}>
                  {visible(name)}
                </Link>
              </span>
            ))}
          </Fact>
        )}
      </Facts>
      {approvalRules.length === 0 ? (
        <p>One approval at each gate, by anyone who may approve.</p>
      ) : (
        <ol>
          {approvalRules.map((rule) => (
            <li key={rule.name}>
              <strong>{visible(rule.name)}</strong>: {ruleText(rule)}
              {rule.when != null && <div className="quiet">Only of runs {conditionText(rule.when)}</div>}
            </li>
          ))}
        </ol>
      )}
      {freezeWindows.length > 0 && (
        <ul>
          {freezeWindows.map((window) => (
            <li key={window.name}>
              <FreezeWindow window={window} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function FreezeWindow({ window: { name, cron, timeZone, durationMinutes, open, nextOpensAt } }: { window: Window }) {
  return (
    <>
      Nothing is applied in <strong>{visible(name)}</strong>: {cron} ({visible(timeZone)}), {durationMinutes} min{" "}
      {open && <strong className="problem">open now</strong>}
      {!open && nextOpensAt != null && (
        <span className="quiet">
          begins <Ago at={nextOpensAt} />
        </span>
      )}
    </>
  );
}

function textOf(choices: readonly (readonly [value: string, text: string])[], value: string): string {
  return choices.find(([known]) => known === value)?.[1] ?? wordsOf(value);
}
