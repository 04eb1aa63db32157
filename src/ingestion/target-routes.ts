/** Routes by which runners get the targets of health, and report how they are. */
import type { TargetDesk } from "../domain/sampling/target-desk.ts";
import { LIMITS } from "../model/kit/limits.ts";
import type { RunnerCaller } from "../model/people/permission.ts";
import type { LeaseAnswer, ReportAnswer } from "../model/health/prober-desk.ts";
import { parseJson } from "./body.ts";
import { answer, type Exchange } from "./exchange.ts";
import { HEALTH_REPORT_BYTES, parseHealthReport, parseProberId, parseTargetsClaim } from "./parse-targets.ts";

export interface TargetDeps {
  targetDesk: TargetDesk;
}

type TargetRoute = (deps: TargetDeps, exchange: Exchange, caller: RunnerCaller) => Promise<void>;

/** The routes by their paths; all take POST. */
export const TARGET_ROUTES: ReadonlyMap<string, TargetRoute> = new Map([
  ["probes/lease", lease],
  ["probes/report", report],
  ["probes/leave", leave],
]);

/** A heartbeat: it is answered at once. */
async function lease({ targetDesk }: TargetDeps, exchange: Exchange, caller: RunnerCaller): Promise<void> {
  const claim = parseTargetsClaim(parseJson(await exchange.body(LIMITS.requestBytes)));
  answer(exchange, 200, (await targetDesk.lease(caller, claim)) satisfies LeaseAnswer);
}

async function report({ targetDesk }: TargetDeps, exchange: Exchange, caller: RunnerCaller): Promise<void> {
  const sent = parseHealthReport(parseJson(await exchange.body(HEALTH_REPORT_BYTES)));
  answer(exchange, 200, (await targetDesk.report(caller, sent)) satisfies ReportAnswer);
}

async function leave({ targetDesk }: TargetDeps, exchange: Exchange, caller: RunnerCaller): Promise<void> {
  const { proberId } = parseProberId(parseJson(await exchange.body(LIMITS.requestBytes)));
  await targetDesk.leave(caller, proberId);
  answer(exchange, 204, null);
}
