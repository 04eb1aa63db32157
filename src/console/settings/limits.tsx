import type { LimitsItemFragment, WorkspaceSettingsQuery } from "../generated/graphql.ts";
import { Commands } from "../parts/commands.tsx";
import { Fact, Facts } from "../parts/facts.tsx";
import { lazyPart } from "../parts/lazy-part.ts";
import { durationOf } from "../parts/time.tsx";
import { choiceText } from "../parts/words.ts";
import { changedLimits, allowsNoLimit, LIMIT_NAMES, LIMITS, type LimitName, TIMEOUT_ACTIONS } from "./limit-input.ts";
import { SettingsForm } from "./settings-form.tsx";
import type { SettingsSection } from "./settings-section.ts";

const LimitFields = lazyPart(() => import("./limit-fields.tsx"), "LimitFields");

type Effective = NonNullable<WorkspaceSettingsQuery["workspace"]>["effectiveLimits"];

interface LimitsOf extends SettingsSection {
  readonly limits: LimitsItemFragment;
  readonly effective: Effective;
}

/** The limits of the runs of a workspace: what holds, and what of it is set here. */
export function Limits({ limits, effective, ...section }: LimitsOf) {
  return (
    <section className="panel" aria-label="Limits">
      <h2>Limits</h2>
      {section.canWrite && (
        <Commands>
          <SettingsForm
            section={section}
            label="Change the limits"
            subject="Limits"
            read={(form) => ({ limits: changedLimits(form) })}
          >
            <p>A field that is empty has the limit of the organization, or the default.</p>
            <LimitFields limits={limits} effective={effective} />
          </SettingsForm>
        </Commands>
      )}
      <Facts>
        {LIMIT_NAMES.map((limit) => (
          <Fact key={limit} name={LIMITS[limit].label}>
            <Value isHere={limits[limit] != null}>{textOfLimit(limit, effective[limit])}</Value>
          </Fact>
        ))}
        <Fact name="A run that waits too long">
          <Value isHere={limits.approvalTimeoutAction != null}>
            {choiceText(TIMEOUT_ACTIONS, effective.approvalTimeoutAction)}
          </Value>
        </Fact>
      </Facts>
    </section>
  );
}

/** A limit; one that is set in the workspace is marked. */
function Value({ isHere, children }: { isHere: boolean; children: string }) {
  return isHere ? (
    <>
      <strong>{children}</strong> <span className="quiet">set here</span>
    </>
  ) : (
    children
  );
}

function textOfLimit(name: LimitName, value: number): string {
  if (!LIMITS[name].isTime) return String(value);
  return value === 0 && allowsNoLimit(name) ? "no limit" : durationOf(value);
}
