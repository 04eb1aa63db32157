/** The cache of everything that the API has answered: each object once, so that an event updates all views of it. */
import { cacheExchange } from "@urql/exchange-graphcache";
import { Client, fetchExchange, subscriptionExchange } from "urql";
import possibleTypes from "../generated/possible-types.json";
import { client } from "./link.ts";
import { monotonicExchange } from "./monotonic.ts";
import { operationsExchange } from "./operations.ts";

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
    "RunnerJob",
    "Engine",
    "WebhookAttempt",
    "OrganizationMember",
    "TeamMember",
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
    "DirectorySource",
    "GitSource",
    "UploadSource",
    "ApprovalRequirement",
    "Blocker",
    "Failure",
    "CheckReport",
    "CheckBlock",
    "ProbeProgress",
    "FailedResource",
    "RunProgress",
    "RunTimelineEntry",
    "OutputChange",
    "ResourceChange",
    "PlannedChange",
    "PlanComparison",
    "InboxItem",
    "InboxConnection",
    "LogMatch",
    "LogMatchConnection",
    "LogLine",
  ].map((name) => [name, () => null]),
);

export const store = new Client({
  url: "/graphql",
  preferGetMethod: false,
  exchanges: [
    operationsExchange,
    cacheExchange({ keys: PARTS, possibleTypes: possibleTypes.possibleTypes }),
    monotonicExchange,
    fetchExchange,
    subscriptionExchange({
      forwardSubscription: ({ query = "", variables }) => ({
        subscribe(sink) {
          const stream = client.subscribe<Record<string, unknown>, Variables>(query, variables ?? {}, { cursorOf });
          const read = async (): Promise<void> => {
            for await (const data of stream) sink.next({ data });
          };
          read().then(
            () => sink.complete(),
            (error: unknown) => sink.error(error),
          );
          return { unsubscribe: () => void stream.return?.() };
        },
      }),
    }),
  ],
});

interface Variables {
  after?: string | null;
  [name: string]: unknown;
}

/** Every item of a stream has its cursor at the same place, unless it has none. */
function cursorOf(data: Record<string, unknown>): string | undefined {
  const [item] = Object.values(data);
  const cursor = typeof item === "object" && item !== null && "cursor" in item ? item.cursor : undefined;
  return typeof cursor === "string" ? cursor : undefined;
}
