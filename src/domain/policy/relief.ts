/** The contract between verdicts and what people decided beforehand: exceptions, and overrides that still hold. */
import type { Finding } from "../../model/policy/verdict.ts";
import type { Run } from "../../model/run/run.ts";
import type { Reader } from "../../persistence/database/database.ts";

/** A finding that does not count. */
export type Relief = { findingId: string } & (
  | { status: "WAIVED"; exceptionId: string }
  | { status: "OVERRIDDEN"; exceptionId: null }
);

/** Gives relief from findings about the newest plan of a run, as of an instant. */
export interface ReliefSource {
  find(
    tx: Reader,
    run: Pick<Run, "id" | "organizationId" | "workspaceId" | "planVersion">,
    findings: readonly Finding[],
    at: string,
  ): Promise<Relief[]>;
  /** Whether all of these exceptions are still in force. */
  areInForce(tx: Reader, exceptionIds: readonly string[], at: string): Promise<boolean>;
}

/** All of them, in order: the first relief of a finding counts. */
export const RELIEF_SOURCES: readonly ReliefSource[] = [];

/** Returns the findings with the status that reliefs give them, and the reliefs. */
export async function relieve(
  tx: Reader,
  run: Parameters<ReliefSource["find"]>[1],
  findings: readonly Finding[],
  at: string,
): Promise<{ findings: Finding[]; reliefs: ReadonlyMap<string, Relief> }> {
  const reliefs = new Map<string, Relief>();
  if (findings.length > 0) {
    for (const source of RELIEF_SOURCES) {
      for (const relief of await source.find(tx, run, findings, at)) {
        if (!reliefs.has(relief.findingId)) reliefs.set(relief.findingId, relief);
      }
    }
  }
  const relieved = findings.map((finding): Finding => {
    const status = reliefs.get(finding.id)?.status;
    return status === undefined ? finding : { ...finding, status };
  });
  return { findings: relieved, reliefs };
}
