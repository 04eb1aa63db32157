/** Checks the settings of pipelines. */
import { LIMITS } from "../../model/kit/limits.ts";
import { overlap, type PromotionPipeline, type PromotionStage } from "../../model/promotion/promotion.ts";
import { isLabel, LABEL_WORDS } from "../../model/workspace/label.ts";
import type { InputCheck } from "../kit/input.ts";

export type PipelineSettings = Pick<PromotionPipeline, "name" | "stages">;

const FEWEST_STAGES = 2;

/** Checks the settings as they will be. */
export function checkPipeline(check: InputCheck, { name, stages }: PipelineSettings): void {
  check.label("name", name);
  const most = LIMITS.stagesPerPipeline;
  if (stages.length < FEWEST_STAGES || stages.length > most) {
    return check.refuse("stages", `must have from ${FEWEST_STAGES} to ${most} stages.`);
  }
  for (const [index, stage] of stages.entries()) checkStage(check, stage, index, stages.slice(0, index));
}

function checkStage(
  check: InputCheck,
  { name, label, automatic, soakMinutes }: PromotionStage,
  index: number,
  earlier: readonly PromotionStage[],
): void {
  const path = (field: keyof PromotionStage): string => `stages.${index}.${field}`;
  check.label(path("name"), name);
  const isNew = earlier.every((other) => other.name !== name);
  check.require(isNew, path("name"), "must differ from the names of the other stages.");
  check.require(isLabel(label), path("label"), `${LABEL_WORDS}.`);
  const other = earlier.find((stage) => overlap(stage.label, label));
  const words = `selects the same workspaces as the stage "${other?.name ?? ""}": choose another label.`;
  check.require(other === undefined, path("label"), words);
  const most = LIMITS.soakMinutes;
  const isBounded = soakMinutes >= 0 && soakMinutes <= most;
  check.require(isBounded, path("soakMinutes"), `must be from 0 to ${most}.`);
  if (index > 0) return;
  check.require(!automatic, path("automatic"), "must be false: nothing is promoted to the first stage.");
  check.require(soakMinutes <= 0, path("soakMinutes"), "must be 0: nothing is promoted to the first stage.");
}
