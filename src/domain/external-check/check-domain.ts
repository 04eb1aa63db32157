/** The inputs of commands about external checks. */
import type { CheckStage } from "../../model/check/external-check.ts";
import type { EnforcementLevel, PolicyErrorMode, PolicySelector } from "../../model/policy/policy-set.ts";

export interface CreateExternalCheckInput {
  organizationId: string;
  name: string;
  url: string;
  /** `null`: requests are not signed. */
  hmacKey: string | null;
  /** `null`: the server sends the requests. */
  viaPoolId: string | null;
  stages: readonly CheckStage[];
  level: EnforcementLevel;
  onError: PolicyErrorMode;
  estimatesCost: boolean;
  selector: PolicySelector;
  progressSeconds: number;
  totalSeconds: number;
}

/** Absent fields stay unchanged; `null` clears `hmacKey` and `viaPoolId`, and is invalid elsewhere. */
export interface UpdateExternalCheckInput {
  checkId: string;
  name?: string | null | undefined;
  url?: string | null | undefined;
  hmacKey?: string | null | undefined;
  viaPoolId?: string | null | undefined;
  stages?: readonly CheckStage[] | null | undefined;
  level?: EnforcementLevel | null | undefined;
  onError?: PolicyErrorMode | null | undefined;
  estimatesCost?: boolean | null | undefined;
  selector?: PolicySelector | null | undefined;
  progressSeconds?: number | null | undefined;
  totalSeconds?: number | null | undefined;
  enabled?: boolean | null | undefined;
}

/** The answer of a service to a test of its address. */
export interface CheckTest {
  /** It answered with 200. */
  ok: boolean;
  /** `null`: it did not answer. */
  statusCode: number | null;
  /** `null` if it answered with 200. */
  problem: string | null;
  /** The setting that the problem is about. */
  path: "url" | "viaPoolId";
}
