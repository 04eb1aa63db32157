import { checkJudges } from "../check/check-judges.ts";
import type { JudgeSource } from "../policy/judge-source.ts";
import { policyJudges } from "../policy/policy-judges.ts";

/** All types of judges. */
export const JUDGE_SOURCES: readonly JudgeSource[] = [policyJudges, checkJudges];
