/** What can be done with runners, and read of them; both are part of the surface in `../domain.ts`. */
import type { Page, PageRequest } from "../../model/kit/page.ts";
import type { TokenCaller } from "../../model/people/permission.ts";
import type { Runner, RunnerJob, RunnerPool, RunnerToken } from "../../model/runner/runner.ts";

export interface CreateRunnerPoolInput {
  organizationId: string;
  name: string;
  description: string | null;
  reserved: boolean;
}

/** An absent field stays; null clears `description` and is invalid elsewhere. */
export interface UpdateRunnerPoolInput {
  poolId: string;
  name?: string | null | undefined;
  description?: string | null | undefined;
  reserved?: boolean | null | undefined;
}

export interface CreateRunnerTokenInput {
  poolId: string;
  name: string;
  expiresAt: string | null;
}

export interface RunnerQueries {
  runners(caller: TokenCaller, ids: readonly string[]): Promise<(Runner | null)[]>;
  runnerPools(caller: TokenCaller, ids: readonly string[]): Promise<(RunnerPool | null)[]>;
  runnerTokens(caller: TokenCaller, ids: readonly string[]): Promise<(RunnerToken | null)[]>;
  /** By name. */
  runnerPoolsOfOrganizations(caller: TokenCaller, ids: readonly string[]): Promise<RunnerPool[][]>;
  /** Oldest first; only for those who may write them. */
  tokensOfRunnerPools(caller: TokenCaller, ids: readonly string[]): Promise<RunnerToken[][]>;
  /** What runners work on. */
  jobsOfRunners(caller: TokenCaller, ids: readonly string[]): Promise<RunnerJob[][]>;
  /** Oldest first; positions are ids. Of an organization: those of its pools, and those that all share. */
  listRunners(
    caller: TokenCaller,
    whose: { poolId: string } | { organizationId: string },
    page: PageRequest<string>,
  ): Promise<Page<Runner>>;
}
