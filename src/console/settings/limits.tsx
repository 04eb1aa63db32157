import { type LimitsItemFragment, UpdateWorkspaceDocument, type WorkspaceSettingsQuery } from "../generated/graphql.ts";
import { Commands } from "../parts/commands.tsx";
import { Fact, Facts } from "../parts/facts.tsx";
import { FormCommand } from "../parts/form-command.tsx";
import { lazyPart } from "../parts/lazy-part.ts";
import { durationOf } from "../parts/time.tsx";
import { choiceText } from "../parts/words.ts";
import { changedLimits, allowsNoLimit, LIMIT_NAMES, LIMITS, type LimitName, TIMEOUT_ACTIONS } from "./limit-input.ts";

const LimitFields = lazyPart(() => import("./limit-fields.tsx"), "LimitFields");

type Effective = NonNullable<WorkspaceSettingsQuery["workspace"]>["effectiveLimits"];

interface LimitsOf {
  readonly workspaceId: string;
  /** The name of the workspace. */
  readonly name: string;
  readonly limits: LimitsItemFragment;
  readonly effective: Effective;
  readonly canWrite: boolean;
  readonly onChange: () => void;
}

/** The limits of the runs of a workspace: what holds, and what of it is set here. */
export function Limits({ workspaceId, name, limits, effective, canWrite, onChange }: LimitsOf) {
  return (
    <section className="panel" aria-label="Limits">
      <h2>Limits</h2>
      {canWrite && (
        <Commands>
          <FormCommand
            document={UpdateWorkspaceDocument}
            label="Change the limits"
            title={`Limits of ${name}`}
            submit="Change the limits"
            inputOf={(form) => ({ workspaceId, limits: changedLimits(form) })}
            onDone={onChange}
          >
            <p>A field that is empty has the limit of the organization, or the default.</p>
            <LimitFields limits={limits} effective={effective} />
          </FormCommand>
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
