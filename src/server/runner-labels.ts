import { LIMITS } from "../model/kit/limits.ts";
import { RUNNER_LABEL, RUNNER_LABEL_WORDS } from "../model/runner/runner.ts";
import { quote, InvalidSetting } from "./setting.ts";

/** Parses the labels by which workspaces choose a runner. */
export function runnerLabels(text: string): string[] {
  const found = [...new Set(text.split(",").map((part) => part.trim()))].filter((part) => part !== "");
  const wrong = found.find((label) => !RUNNER_LABEL.test(label));
  if (wrong !== undefined) throw new InvalidSetting(`has ${quote(wrong)}; a label ${RUNNER_LABEL_WORDS}`);
  if (found.length > LIMITS.runnerLabels)
    throw new InvalidSetting(`must have at most ${LIMITS.runnerLabels} labels, separated by commas`);
  return found;
}
