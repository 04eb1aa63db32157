/** The inputs of commands about runners, and the reads of runners. */
import type { Page, PageRequest } from "../../model/kit/page.ts";
import type { TokenCaller } from "../../model/people/permission.ts";
import type { Runner, RunnerJob, RunnerPool, RunnerToken } from "../../model/runner/runner.ts";

export interface CreateRunnerPoolInput {
  organizationId: string;
  name: string;
  description: string | null;
  reserved: boolean;
}

/** Absent fields stay unchanged; `null` clears `description` and is invalid elsewhere. */
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
  /** Returns pools by name. */
  runnerPoolsOfOrganizations(caller: TokenCaller, ids: readonly string[]): Promise<RunnerPool[][]>;
  /** Returns tokens, oldest first, if the caller may write them. */
  tokensOfRunnerPools(caller: TokenCaller, ids: readonly string[]): Promise<RunnerToken[][]>;
  /** Returns the current jobs of runners. */
  jobsOfRunners(caller: TokenCaller, ids: readonly string[]): Promise<RunnerJob[][]>;
  /**
   * Lists runners, oldest first; positions are ids. For an organization: those of its pools, and those shared by all.
   */
  listRunners(
    caller: TokenCaller,
    whose: { poolId: string } | { organizationId: string },
    page: PageRequest<string>,
  ): Promise<Page<Runner>>;
}
