import type { PipelineRowFragment } from "../generated/graphql.ts";
import { visible } from "../parts/visible.ts";
import { lengthOf } from "../rules/rule-text.ts";

type Stage = PipelineRowFragment["stages"][number];

/** Writes when a stage gets commits: `automatic, soaks 2 h`. Empty for a stage that people promote to at any time. */
export function stageRule({ automatic, soakMinutes }: Stage): string {
  const parts = [automatic && "automatic", soakMinutes > 0 && `soaks ${lengthOf(soakMinutes)}`];
  return parts.filter((part) => part !== false).join(", ");
}

/** Writes the stages of a pipeline in their order: `dev → prod (automatic)`. */
export function stagesText(stages: readonly Stage[]): string {
  return stages
    .map((stage) => {
      const rule = stageRule(stage);
      return visible(stage.name) + (rule === "" ? "" : ` (${rule})`);
    })
    .join(" → ");
}
