/** Reads the results of check blocks from the engine's descriptions of plans and from states. */
import { isRecord } from "../../model/kit/is-record.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import {
  type CheckBlock,
  type CheckBlockStatus,
  type FoundCheckBlocks,
  isFailed,
} from "../../model/plan/check-block.ts";
import { readableLines, utf8Prefix } from "../log/log-text.ts";
import type { Masker } from "../mask/masker.ts";

const STATUSES: Record<string, CheckBlockStatus> = {
  pass: "PASSED",
  fail: "FAILED",
  error: "ERRORED",
  unknown: "UNKNOWN",
};

/** Those that need attention first, so that a limit drops the others. */
const RANK: Record<CheckBlockStatus, number> = { FAILED: 0, ERRORED: 1, UNKNOWN: 2, PASSED: 3 };

/**
 * Gives the check blocks of `checks` in a described plan. Conditions of resources, outputs and variables are there too, and
 * are left out: an engine fails for them.
 */
export function checkBlocksOfPlan(checks: unknown): CheckBlock[] {
  return recordsOf(checks).flatMap((check) => {
    const { address } = check;
    if (!isRecord(address) || address["kind"] !== "check") return [];
    const found = recordsOf(check["instances"]).map((instance) => {
      const shown = isRecord(instance["address"]) ? instance["address"]["to_display"] : null;
      const messages = recordsOf(instance["problems"]).map(({ message }) => message);
      return toBlock(shown ?? address["to_display"], instance["status"], messages);
    });
    // Without instances it was not evaluated, or its module has none.
    return found.length > 0 || check["status"] === "pass"
      ? found
      : [toBlock(address["to_display"], check["status"], [])];
  });
}

/** Gives the check blocks of a state as the engine stores it (format 4). */
export function checkBlocksOfState(state: unknown): CheckBlock[] {
  if (!isRecord(state)) return [];
  return recordsOf(state["check_results"]).flatMap((check) => {
    if (check["object_kind"] !== "check") return [];
    const found = recordsOf(check["objects"]).map((object) =>
      toBlock(object["object_addr"], object["status"], valuesOf(object["failure_messages"])),
    );
    return found.length > 0 || check["status"] === "pass"
      ? found
      : [toBlock(check["config_addr"], check["status"], [])];
  });
}

/** Masks and bounds check blocks. `null` if there are none. */
export function shownCheckBlocks(found: readonly CheckBlock[], masker: Masker): FoundCheckBlocks | null {
  if (found.length === 0) return null;
  const ordered = [...found].sort((a, b) => RANK[a.status] - RANK[b.status] || compare(a.address, b.address));
  const blocks: CheckBlock[] = [];
  let bytesLeft: number = LIMITS.checkBlocksBytes;
  for (const block of ordered.slice(0, LIMITS.checkBlocks)) {
    const shown = maskBlock(block, masker);
    bytesLeft -= [shown.address, ...shown.problems].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    if (bytesLeft < 0) break;
    blocks.push(shown);
  }
  return { blocks, count: found.length, failedCount: found.filter(isFailed).length };
}

function maskBlock({ address, status, problems }: CheckBlock, masker: Masker): CheckBlock {
  const lines = problems.slice(0, LIMITS.checkProblems).map((problem) => {
    return utf8Prefix(masker.mask(readableLines(problem).join("\n").trim()), LIMITS.checkProblemBytes);
  });
  return { address: utf8Prefix(masker.maskAddress(address), LIMITS.checkAddressBytes), status, problems: lines };
}

function toBlock(address: unknown, status: unknown, messages: readonly unknown[]): CheckBlock {
  return {
    address: typeof address === "string" ? address : "",
    status: (typeof status === "string" ? STATUSES[status] : undefined) ?? "UNKNOWN",
    // The engine gives them in no fixed order.
    problems: messages.filter((message) => typeof message === "string").sort(compare),
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function valuesOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function recordsOf(value: unknown): Record<string, unknown>[] {
  return valuesOf(value).filter(isRecord);
}
