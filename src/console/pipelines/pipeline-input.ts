/** Pipelines as the API takes them, from their form. */
import type { Permission, PromotionStageInput } from "../generated/graphql.ts";
import { changedOf, checkedOf, numberOfField, textOfField } from "../parts/field.ts";

/** Whether a person with these permissions in the organization may change its pipelines. */
export const mayChange = (permissions: readonly Permission[]): boolean => permissions.includes("RUN_DEPLOY");

/** The name of a field of a stage: the path of the field in the input. */
export const stageField = (index: number, field: keyof PromotionStageInput): string => `stages.${index}.${field}`;

/** Reads what a person has changed of a pipeline. Stages go together, because the API replaces all of them. */
export function readPipelineChanges(form: HTMLFormElement): Partial<ReturnType<typeof readPipeline>> {
  const read = readPipeline(form);
  const opened = Number(form.querySelector("[data-opened]")?.getAttribute("data-opened"));
  return { ...changedOf(form, read), ...(read.stages.length !== opened && { stages: read.stages }) };
}

/** Reads a pipeline from its form, which has as many stages as names of them. */
export function readPipeline(form: HTMLFormElement): { name: string; stages: PromotionStageInput[] } {
  const count = form.querySelectorAll("[data-stage]").length;
  return {
    name: textOfField(form, "name"),
    stages: Array.from({ length: count }, (_, index) => ({
      name: textOfField(form, stageField(index, "name")),
      label: textOfField(form, stageField(index, "label")),
      automatic: checkedOf(form, stageField(index, "automatic")).length > 0,
      soakMinutes: numberOfField(form, stageField(index, "soakMinutes")) ?? 0,
    })),
  };
}
