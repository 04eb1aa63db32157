/** The verification of applies as people see it, and the work of a server on it. */
import type { Deps } from "../../src/domain/kit/deps.ts";
import { createVerificationRounds } from "../../src/domain/verification/verification-round.ts";
import type { ProbeRequest } from "../../src/model/probe/probe-request.ts";
import { passedSample, type ProbeSample } from "../../src/model/probe/probe-sample.ts";
import type { Prober } from "../../src/model/probe/prober.ts";
import type { Api, Data } from "./api.ts";

const VERIFICATION = `id status startedAt endsBy finishedAt baselinePassed reason comment concludedBy { id }
  probes { name weight from resolvedTarget passesInARow needed attempts lastAt lastFailure }`;

/** Reads a run with its verification. */
export async function readVerified(api: Api, runId: string): Promise<Data> {
  const query = `query ($id: ID!) { run(id: $id) { status outcome appliedAt requiredAction reason
    failure { code stage category reason summary message evidence } verification { ${VERIFICATION} }
    workspace { deploymentStatus currentRun { id } } phases { kind status } } }`;
  return (await api.ask(query, { id: runId })).run;
}

/** Sends `concludeVerification`, and returns the member of its union. */
export async function conclude(api: Api, input: object): Promise<Data> {
  const document = `mutation ($input: ConcludeVerificationInput!) { concludeVerification(input: $input) { __typename
    ... on ConcludeVerificationSuccess { run { status outcome } }
    ... on UserError { code message } ... on InvalidInputError { issues { path message } } } }`;
  return (await api.ask(document, { input })).concludeVerification;
}

/** A prober that answers as it is told to, and keeps what it was asked. */
export interface ToldProber extends Prober {
  readonly asked: ProbeRequest[];
  answer: (request: ProbeRequest) => ProbeSample | Promise<ProbeSample>;
}

export function toldProber(): ToldProber {
  const asked: ProbeRequest[] = [];
  const prober: ToldProber = {
    asked,
    answer: () => passedSample(1),
    async probe(request) {
      asked.push(request);
      return prober.answer(request);
    },
    checkExpression: () => Promise.resolve(null),
    allows: () => true,
  };
  return prober;
}

/** The work of one server on verifications, in steps. */
export interface VerificationWork extends AsyncDisposable {
  /** Does all that is due, and waits for its end. Returns how much it was. */
  step(): Promise<number>;
  begin(): Promise<number>;
  waitMs(): Promise<number>;
}

export function startVerificationWork(deps: Deps, prober: Prober): VerificationWork {
  const rounds = createVerificationRounds(
    { ...deps, prober },
    {
      onDone: () => undefined,
      onError: (error) => deps.reportError(error, "verifying applies"),
    },
  );
  return {
    async step() {
      const begun = await rounds.begin();
      await rounds.idle();
      return begun;
    },
    begin: () => rounds.begin(),
    waitMs: () => rounds.waitMs(),
    [Symbol.asyncDispose]: () => rounds[Symbol.asyncDispose](),
  };
}
