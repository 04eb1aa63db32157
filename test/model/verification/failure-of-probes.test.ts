import { describe, expect, it } from "vitest";
import { reasonOfProbes } from "../../../src/model/verification/failure-of-probes.ts";
import { newProgress, type ProbeProgress } from "../../../src/model/verification/verification.ts";
import { DEFAULT_VERIFICATION } from "../../../src/model/workspace/verification-settings.ts";

const settings = { ...DEFAULT_VERIFICATION, successesInARow: 3, failFastAfter: null };

function progress(changed: Partial<ProbeProgress> = {}): ProbeProgress {
  const probe = newProgress({ name: "web", target: 0, weight: "REQUIRED", from: "SERVER", resolvedTarget: null });
  return { ...probe, samples: 5, failuresInARow: 5, ...changed };
}
const reasonOf = (probes: readonly ProbeProgress[], changed: object = {}): string | null =>
  reasonOfProbes({ probes, settings, status: "FAILED", concludedById: null, ...changed });

describe("a verification failed", () => {
  it.each<[string, string | null, ProbeProgress[], object?]>([
    ["by a target that was never up", "STARTUP", [progress()]],
    ["by one that was up before the apply", "STARTUP", [progress({ baseline: true })]],
    ["by one of several", "STARTUP", [progress({ failuresInARow: 0 }), progress()]],
    ["by one that was red before", null, [progress({ baseline: false })]],
    ["by one that came up and went away", null, [progress({ samples: 6 })]],
    ["by one that passes by now", null, [progress({ samples: 0, failuresInARow: 0 })]],
    ["by one that was seen too seldom", null, [progress({ samples: 2, failuresInARow: 2 })]],
    [
      "early",
      "STARTUP",
      [progress({ samples: 2, failuresInARow: 2 })],
      { settings: { ...settings, failFastAfter: 2 } },
    ],
    ["by none that is required", null, [progress({ weight: "INFORMATIONAL" })]],
    ["by a check block", "CONDITION", [progress(), progress({ final: true })]],
    ["by a person", null, [progress()], { concludedById: "act_1" }],
    ["without a result", null, [progress()], { status: "INCONCLUSIVE" }],
  ])("%s: %s", (_name, reason, probes, changed) => {
    expect(reasonOf(probes, changed)).toBe(reason);
  });
});
