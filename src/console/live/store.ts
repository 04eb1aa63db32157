/** The cache of everything that the API has answered: each object once, so that an event updates all views of it. */
import { cacheExchange } from "@urql/exchange-graphcache";
import { Client, fetchExchange, subscriptionExchange } from "urql";
import possibleTypes from "../generated/possible-types.json";
import type { Stream } from "../../client/client.ts";
import { followStream } from "./follow-stream.ts";
import { inFlight } from "./in-flight.ts";
import { client } from "./link.ts";
import { monotonicExchange } from "./monotonic.ts";
import { operationsExchange } from "./operations.ts";
import { untilAllowed } from "./retry.ts";

/** Objects without an id are parts of the object that has them. */
const PARTS = Object.fromEntries(
  [
    "Viewer",
    "RunActionAvailability",
    "WorkspaceActionAvailability",
    "WorkspaceLock",
    "StateLock",
    "Output",
    "Variable",
    "ApprovalRule",
    "RuleCondition",
    "FreezeWindow",
    "WorkspaceDependency",
    "OutputReference",
    "Probe",
    "ProbeExpectation",
    "SuggestedProbe",
    "TargetHealth",
    "HealthBucket",
    "RunnerJob",
    "Engine",
    "WebhookAttempt",
    "OrganizationMember",
    "TeamMember",
    "ClaimCondition",
    "WorkspaceSelector",
    "PolicyOverriders",
    "PolicyEvaluationCounts",
    "PolicyRule",
    "Policy",
    "PolicyTestReport",
    "PolicyTestResult",
    "PolicySimulationResult",
    "SimulatedFinding",
    "ChangesetCounts",
    "ChangesetWave",
    "Promotion",
    "PromotionStage",
    "InboundMapping",
    "Hook",
    "RunLimits",
    "EffectiveRunLimits",
    "DriftSettings",
    "DriftIgnoreRule",
    "VerificationSettings",
    "RollbackSettings",
    "RollbackGuard",
    "DirectorySource",
    "GitSource",
    "UploadSource",
    "WorkspaceTrigger",
    "WorkspaceSync",
    "SourceInputs",
    "TriggerDecision",
    "ApprovalRequirement",
    "Blocker",
    "CancelRequest",
    "Diagnostic",
    "DriftAcknowledgement",
    "DriftedResource",
    "DriftedResourceConnection",
    "StateResources",
    "StateResource",
    "StateComparison",
    "StateResourceChange",
    "Failure",
    "CheckReport",
    "CheckBlock",
    "ProbeProgress",
    "FailedResource",
    "RunProgress",
    "BulkResult",
    "RunTimelineEntry",
    "OutputChange",
    "OutputCounts",
    "ResourceChange",
    "PlannedChange",
    "PlanComparison",
    "OrganizationActivity",
    "RunCount",
    "InboxItem",
    "InboxConnection",
    "LogMatch",
    "LogMatchConnection",
    "LogLine",
    "LogSpan",
  ].map((name) => [name, () => null]),
);

export const store = new Client({
  url: "/graphql",
  preferGetMethod: false,
  fetch: (input, init) => fetch(input, { ...init, signal: signalOf(init) }),
  exchanges: [
    operationsExchange,
    cacheExchange({ keys: PARTS, possibleTypes: possibleTypes.possibleTypes }),
    inFlight.exchange,
    monotonicExchange,
    fetchExchange,
    subscriptionExchange({
      forwardSubscription: ({ query = "", variables }) => ({
        subscribe(sink) {
          const controller = new AbortController();
          const { signal } = controller;
          let stream: Stream<Item> | undefined;
          let after: string | null = null;
          const open = (isFresh: boolean): Stream<Item> => {
            if (isFresh) after = null;
            stream = client.subscribe<Item, Variables>(query, { ...variables, after }, { cursorOf });
            return stream;
          };
          const next = (data: Item): void => {
            after = cursorOf(data) ?? after;
            sink.next({ data });
          };
          const receiver = { next, complete: () => sink.complete() };
          void followStream(receiver, { open, isExpired, pause: () => untilAllowed(signal), signal });
          return {
            unsubscribe() {
              controller.abort();
              void stream?.return?.();
            },
          };
        },
      }),
    }),
  ],
});

/** A connection that died in a sleep never answers: the query fails, and is sent again over another one. */
const ANSWER_WITHIN_MS = 30_000;

function signalOf(init: RequestInit | undefined): AbortSignal {
  const late = AbortSignal.timeout(ANSWER_WITHIN_MS);
  return init?.signal == null ? late : AbortSignal.any([init.signal, late]);
}

interface Variables {
  after?: string | null;
  [name: string]: unknown;
}

type Item = Record<string, unknown>;

function isExpired(data: Item): boolean {
  const [item] = Object.values(data);
  return typeof item === "object" && item !== null && "__typename" in item && item.__typename === "CursorExpired";
}

/** Every item of a stream has its cursor at the same place, unless it has none. */
function cursorOf(data: Record<string, unknown>): string | undefined {
  const [item] = Object.values(data);
  const cursor = typeof item === "object" && item !== null && "cursor" in item ? item.cursor : undefined;
  return typeof cursor === "string" ? cursor : undefined;
}
