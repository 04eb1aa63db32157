import type { ApprovalRuleInput, ApprovalRuleItemFragment } from "../generated/graphql.ts";
import { Commands } from "../parts/commands.tsx";
import { DeleteEntry, EntryForm, type EntryList, RaiseEntry } from "../parts/entry-commands.tsx";
import { lazyPart } from "../parts/lazy-part.ts";
import { visible } from "../parts/visible.ts";
import { readRule, ruleInputOf } from "./rule-input.ts";
import { conditionText, ruleText } from "./rule-text.ts";
import type { RulesOwner } from "./rules-owner.ts";

const RuleFields = lazyPart(() => import("./rule-fields.tsx"), "RuleFields");

interface ApprovalRulesOf<TResult extends object, TInput extends object> {
  readonly rules: readonly ApprovalRuleItemFragment[];
  /** `null`: the person may not change them. */
  readonly owner: RulesOwner<TResult, TInput> | null;
}

/** The approval rules of a workspace or an organization, in their order, and the commands that set them. */
export function ApprovalRules<TResult extends object, TInput extends object>({
  rules,
  owner,
}: ApprovalRulesOf<TResult, TInput>) {
  const list = owner === null ? null : ruleList(owner);
  return (
    <>
      {rules.length > 0 && (
        <ol>
          {rules.map((rule, at) => (
            <li key={rule.name}>
              <RuleText rule={rule} />
              {list !== null && owner !== null && (
                <Commands>
                  <EntryForm list={list} entry={ruleInputOf(rule)} readEntry={readRule}>
                    <RuleFields rule={rule} organization={owner.organization} />
                  </EntryForm>
                  {at > 0 && <RaiseEntry list={list} entry={ruleInputOf(rule)} />}
                  <DeleteEntry
                    list={list}
                    entry={ruleInputOf(rule)}
                    text="Its approvals are no longer needed, also for runs that wait at its gate now."
                  />
                </Commands>
              )}
            </li>
          ))}
        </ol>
      )}
      {list !== null && owner !== null && (
        <Commands>
          <EntryForm list={list} readEntry={readRule}>
            <RuleFields organization={owner.organization} />
          </EntryForm>
        </Commands>
      )}
    </>
  );
}

function ruleList<TResult extends object, TInput extends object>(
  owner: RulesOwner<TResult, TInput>,
): EntryList<TResult, TInput, ApprovalRuleInput> {
  return {
    document: owner.document,
    field: "approvalRules",
    noun: "approval rule",
    owner: visible(owner.name),
    read: async () => {
      const now = await owner.read();
      return now === null ? null : { ...now, entries: now.approvalRules.map(ruleInputOf) };
    },
    inputOf: (approvalRules, settingsDigest) => owner.inputOf({ approvalRules: [...approvalRules], settingsDigest }),
    onDone: owner.onDone,
  };
}

/** An approval rule in words. */
export function RuleText({ rule }: { rule: ApprovalRuleItemFragment }) {
  return (
    <>
      <strong>{visible(rule.name)}</strong>: {ruleText(rule)}
      {rule.when != null && <div className="quiet">Only of runs {conditionText(rule.when)}</div>}
    </>
  );
}
