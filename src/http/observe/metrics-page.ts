import type { Figures } from "../../domain/figures/read-figures.ts";
import { UserError } from "../../model/kit/user-error.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { Metrics, MetricsPage } from "./metrics.ts";

export interface MetricsPageDeps {
  metrics: Pick<Metrics, "page">;
  readFigures: (caller: ActorCaller) => Promise<Figures>;
  /** Reports that the figures could not be read. */
  onFailure: (error: unknown) => void;
}

/**
 * Creates the page for a scraper. A caller without the permission to read figures gets its refusal, and no page; a database
 * that does not answer leaves out the figures alone.
 */
export function createMetricsPage({
  metrics,
  readFigures,
  onFailure,
}: MetricsPageDeps): (caller: ActorCaller) => Promise<MetricsPage> {
  const figuresFor = async (caller: ActorCaller): Promise<Figures | null> => {
    try {
      return await readFigures(caller);
    } catch (error) {
      if (error instanceof UserError) throw error;
      onFailure(error);
      return null;
    }
  };
  return async (caller) => metrics.page(await figuresFor(caller));
}
