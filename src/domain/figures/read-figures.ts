import { INSTALLATION } from "../../model/people/place.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { type Figures, readFigures as read } from "../../persistence/installation/figures-store.ts";
import type { Deps } from "../kit/deps.ts";
import { authorize } from "../access/command.ts";

export type { Figures };

/**
 * Creates a reader of figures about the whole installation. Results are cached for a moment and shared by all callers.
 */
export function createFiguresReader(deps: Pick<Deps, "database" | "clock">): (caller: ActorCaller) => Promise<Figures> {
  let kept: { atMs: number; figures: Promise<Figures> } | null = null;
  return (caller) => {
    authorize(caller, { permission: "FIGURES_READ", words: "reading figures" }, INSTALLATION);
    const atMs = deps.clock().getTime();
    if (kept === null || atMs - kept.atMs >= LIMITS.figuresMaxAgeMs) {
      const figures = read(deps.database, new Date(atMs).toISOString(), LIMITS.figuresStatementMs);
      // A failed read is not cached: the next request tries again.
      figures.catch(() => (kept = null));
      kept = { atMs, figures };
    }
    return kept.figures;
  };
}
