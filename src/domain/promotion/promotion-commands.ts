import type { Commands } from "../kit/bind-commands.ts";
import { createPromotionPipeline } from "./create-pipeline.ts";
import { deletePromotionPipeline } from "./delete-pipeline.ts";
import { promoteChangeset } from "./promote-changeset.ts";
import { updatePromotionPipeline } from "./update-pipeline.ts";

/** The commands about pipelines and promotions, by name. */
export const PROMOTION_COMMANDS = {
  createPromotionPipeline: {
    run: createPromotionPipeline,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "NAME_TAKEN"],
  },
  deletePromotionPipeline: { run: deletePromotionPipeline, errors: ["NOT_FOUND", "FORBIDDEN"] },
  promoteChangeset: {
    run: promoteChangeset,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "STALE_CHANGESET"],
  },
  updatePromotionPipeline: {
    run: updatePromotionPipeline,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "NAME_TAKEN"],
  },
} as const satisfies Commands;
