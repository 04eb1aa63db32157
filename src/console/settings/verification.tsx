import type { VerificationItemFragment } from "../generated/graphql.ts";
import { Commands } from "../parts/commands.tsx";
import { Fact, Facts } from "../parts/facts.tsx";
import { lazyPart } from "../parts/lazy-part.ts";
import { durationOf } from "../parts/time.tsx";
import { choiceText } from "../parts/words.ts";
import { SettingsForm } from "./settings-form.tsx";
import type { SettingsSection } from "./settings-section.ts";
import { AFTER_DESTROY, changedVerification, INCONCLUSIVE } from "./verification-input.ts";

const VerificationFields = lazyPart(() => import("./verification-fields.tsx"), "VerificationFields");

/** How probes verify the applies of a workspace. */
export function Verification({ settings, ...section }: SettingsSection & { settings: VerificationItemFragment }) {
  const { initialDelaySeconds, intervalSeconds, windowSeconds, successesInARow, failFastAfter } = settings;
  return (
    <section className="panel" aria-label="Verification">
      <h2>Verification</h2>
      {section.canWrite && (
        <Commands>
          <SettingsForm
            section={section}
            label="Change the verification"
            subject="Verification"
            read={(form) => ({ verificationSettings: changedVerification(form) })}
          >
            <p>A run that is approved keeps the settings of its approval.</p>
            <VerificationFields settings={settings} />
          </SettingsForm>
        </Commands>
      )}
      <Facts>
        <Fact name="First probes">{durationOf(initialDelaySeconds)} after the apply</Fact>
        <Fact name="Rounds of probes">each {durationOf(intervalSeconds)}</Fact>
        <Fact name="It ends after">{durationOf(windowSeconds)}</Fact>
        <Fact name="It passes with">{successesInARow} in a row of each required probe</Fact>
        <Fact name="It fails early after">
          {failFastAfter == null ? "no number of failures" : `${failFastAfter} in a row of one required probe`}
        </Fact>
        <Fact name="Without a result">{choiceText(INCONCLUSIVE, settings.onInconclusive)}</Fact>
        <Fact name="After a destroy">{choiceText(AFTER_DESTROY, settings.afterDestroy)}</Fact>
      </Facts>
    </section>
  );
}
