/** Resolvers that all servers with resolvers by hand have in common. */
import type { PageArguments, PhaseRow, RunPage, RunRow, Store } from "./store.ts";

export function createResolvers(store: Store) {
  return {
    Query: {
      workspace: (_root: unknown, { id }: { id: string }) => store.workspace(id),
      run: (_root: unknown, { id }: { id: string }) => store.run(id),
      runs: (_root: unknown, page: PageArguments) => store.runs(page),
    },
    Workspace: {
      runs: ({ id }: { id: string }, page: PageArguments): Promise<RunPage> => store.runsOfWorkspace(id, page),
    },
    Run: { createdAt: ({ created_at }: RunRow): string => created_at.toISOString() },
    Phase: {
      startedAt: ({ started_at }: PhaseRow): string | null => started_at?.toISOString() ?? null,
      finishedAt: ({ finished_at }: PhaseRow): string | null => finished_at?.toISOString() ?? null,
    },
  };
}
