import type { Actor } from "../people/actor.ts";
import type { Finding } from "../policy/verdict.ts";
import type { Run } from "../run/run.ts";
import { type MessageContext, placeData, runData, short } from "./webhook-message.ts";

/** Findings in one message, and addresses of one finding. */
const FINDINGS = 20;
const ADDRESSES = 20;

/** Builds the data of an event about what policies and checks found. It is masked, and readers of the run may see it. */
export function verdictData(
  context: MessageContext,
  { run, createdBy, findings }: { run: Run; createdBy: Actor | null; findings: readonly Finding[] },
): object {
  return {
    ...placeData(context),
    run: runData(run, createdBy),
    planVersion: run.planVersion,
    findingCount: findings.length,
    findings: findings.slice(0, FINDINGS).map((finding) => ({
      id: finding.id,
      source: finding.source,
      owner: { id: finding.ownerId, name: finding.owner },
      policy: finding.policy,
      rule: finding.rule,
      level: finding.level,
      status: finding.status,
      message: short(finding.message),
      addresses: finding.addresses.slice(0, ADDRESSES),
    })),
  };
}
