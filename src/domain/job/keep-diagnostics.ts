import type { FailureReport } from "../../model/lifecycle/failure.ts";
import type { FoundCheckBlocks } from "../../model/plan/check-block.ts";
import type { Diagnostic } from "../../model/plan/diagnostic.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { type DiagnosticsOf, insertDiagnostics } from "../../persistence/plan/diagnostic-store.ts";

/** The end of an apply. What is absent was not found, or the runner does not report it. */
export interface AppliedMessage {
  type: "applied";
  appliedAddresses: string[];
  checks?: FoundCheckBlocks | undefined;
  diagnostics?: Diagnostic[] | undefined;
}

/** Gives the diagnostics of a message that ends a job without a plan. */
export function diagnosticsOf(message: {
  type: string;
  diagnostics?: Diagnostic[] | undefined;
  failure?: FailureReport | undefined;
}): readonly Diagnostic[] {
  return message.failure?.diagnostics ?? message.diagnostics ?? [];
}

/** Stores what the engine of a job reported. Without any nothing is stored. */
export async function keepDiagnostics(
  tx: Transaction,
  origin: DiagnosticsOf,
  diagnostics: readonly Diagnostic[] = [],
): Promise<void> {
  if (diagnostics.length > 0) await insertDiagnostics(tx, origin, diagnostics);
}
