import type { AllowedTarget } from "../../model/kit/allowed-target.ts";
import type { AnswerEvaluator, Prober } from "../../model/probe/prober.ts";
import { createProber } from "../../probing/prober.ts";
import { ServerAddress } from "../network/server-address.ts";
import { Pace } from "./pace.ts";

export interface RunnerProberOptions {
  serverUrl: string;
  /** Targets that probes may reach. */
  allowed: readonly AllowedTarget[];
  /** Requests that begin in a second, at most. */
  perSecond: number;
  evaluator: AnswerEvaluator;
  clock: () => Date;
}

/** The probers of a runner, which share its pace and its guard. */
export interface RunnerProbers {
  /** Sends probes of verifications, which have less time. */
  urgent: Pick<Prober, "probe">;
  steady: Pick<Prober, "probe">;
}

/** Creates the probers of a runner. They never reach the runner's own server. */
export function createRunnerProbers(options: RunnerProberOptions): RunnerProbers {
  const { serverUrl, allowed, perSecond, evaluator, clock } = options;
  const now = (): number => performance.now();
  const pace = new Pace(perSecond, now);
  const server = new ServerAddress(serverUrl, now);
  const isForbidden = (address: string, port: number): boolean => server.isServer(address, port);
  const prober = createProber({ allowed, isForbidden, evaluator, clock });
  const never = new AbortController().signal;
  const paced = (isUrgent: boolean): Pick<Prober, "probe"> => ({
    async probe(request, signal = never) {
      await pace.turn(signal, { isUrgent });
      await server.refresh();
      return prober.probe(request, signal);
    },
  });
  return { urgent: paced(true), steady: paced(false) };
}
