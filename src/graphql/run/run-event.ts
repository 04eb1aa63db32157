import { planLoader } from "../plan/plan.ts";
import type { RunEvent } from "../../model/run/run-event.ts";
import { ActorRef, actorLoader } from "../people/actor.ts";
import { builder } from "../kit/builder.ts";
import { type Connection, connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { inEpoch, numberPosition, writeCursor } from "../kit/cursor.ts";
import { type PageArguments, toPageRequest } from "../kit/page.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { notFoundError, present } from "../kit/errors.ts";
import { PhaseStatusEnum, phaseLoader } from "../plan/phase.ts";
import { CheckStatusEnum } from "../kit/check-status.ts";
import {
  ApprovalRef,
  ExternalCheckResultRef,
  PhaseRef,
  PlanRef,
  PolicyEvaluationRef,
  RunRef,
  VerificationRef,
  approvalLoader,
  checkResultLoader,
  policyEvaluationLoader,
  runLoader,
  verificationLoader,
} from "../kit/refs.ts";
import { VerificationStatusEnum } from "../kit/verification-status.ts";
import { RunStatusEnum } from "./run-enums.ts";
import { StreamItemRef } from "../stream/stream-item.ts";

/** An event with its position in the history of a run. */
export interface RunEventItem<Event extends RunEvent = RunEvent> {
  cursor: string;
  event: Event;
}
type ItemOf<Type extends RunEvent["type"]> = RunEventItem<Extract<RunEvent, { type: Type }>>;

const TYPE_OF_EVENT = {
  STATUS_CHANGED: "RunStatusChanged",
  CHANGED: "RunChanged",
  PHASE_CHANGED: "PhaseChanged",
  PLAN_READY: "PlanReady",
  APPROVAL_RECORDED: "ApprovalRecorded",
  CHECK_CHANGED: "CheckChanged",
  POLICY_EVALUATED: "PolicyEvaluated",
  VERIFICATION_CHANGED: "VerificationChanged",
} as const satisfies Record<RunEvent["type"], string>;

/** Returns the name of the GraphQL type of an event. */
function eventTypeName({ event }: RunEventItem): (typeof TYPE_OF_EVENT)[RunEvent["type"]] {
  return TYPE_OF_EVENT[event.type];
}

/** Returns the name of the GraphQL type of an item of a stream that has events of runs. */
export function itemTypeName<Type extends string>(item: RunEventItem | { type: Type }) {
  return "event" in item ? eventTypeName(item) : item.type;
}

/** The list that cursors of a run's events belong to; the stream of the events shares it. */
export function eventsOfRun(context: Pick<GraphqlContext, "epoch">, runId: string): string {
  return inEpoch(context, `events of ${runId}`);
}

/** An item whose event is known by its type. */
export type AnyRunEventItem = { [Type in RunEvent["type"]]: ItemOf<Type> }[RunEvent["type"]];

/** Adds the cursor of an event: its position in the history of the run, or in another list. */
export function toEventItem(event: RunEvent, cursor: string): AnyRunEventItem {
  // One case each, so that the type of the item follows that of its event.
  switch (event.type) {
    case "STATUS_CHANGED":
      return { cursor, event };
    case "CHANGED":
      return { cursor, event };
    case "PHASE_CHANGED":
      return { cursor, event };
    case "PLAN_READY":
      return { cursor, event };
    case "APPROVAL_RECORDED":
      return { cursor, event };
    case "CHECK_CHANGED":
      return { cursor, event };
    case "POLICY_EVALUATED":
      return { cursor, event };
    case "VERIFICATION_CHANGED":
      return { cursor, event };
  }
}

/** Ends the stream if the workspace was deleted before the event was sent. */
function gone(): never {
  throw notFoundError("run");
}

const RunEventRef = builder.interfaceRef<RunEventItem>("RunEvent").implement({
  description:
    "A change of a run. `run` is loaded when the item is sent, so it may be newer than the event; `version` is the run's at the event.",
  interfaces: [StreamItemRef],
  resolveType: eventTypeName,
  fields: (t) => ({
    at: t.field({ type: "DateTime", description: "When it happened.", resolve: ({ event }) => event.at }),
    version: t.int({ description: "The run's version at the event.", resolve: ({ event }) => event.version }),
    actor: t.field({
      type: ActorRef,
      description: "The actor that caused it.",
      resolve: async ({ event }, _args, { loaders }) =>
        present(await loaders.load(actorLoader, event.actorId), `Actor ${event.actorId}`),
    }),
    run: t.field({
      type: RunRef,
      description: "The run as it is now.",
      resolve: async ({ event }, _args, { loaders }) => (await loaders.load(runLoader, event.runId)) ?? gone(),
    }),
  }),
});

const RunStatusChangedRef = builder.objectRef<ItemOf<"STATUS_CHANGED">>("RunStatusChanged").implement({
  description: "The run went from one status to another, or was created.",
  interfaces: [RunEventRef, StreamItemRef],
  fields: (t) => ({
    from: t.field({
      type: RunStatusEnum,
      nullable: true,
      description: "The status before. `null` if the run was created.",
      resolve: ({ event }) => event.from,
    }),
    to: t.field({ type: RunStatusEnum, description: "The status since then.", resolve: ({ event }) => event.to }),
    reason: t.string({
      nullable: true,
      description: "The reason given by the person or rule that caused it.",
      resolve: ({ event }) => event.reason,
    }),
  }),
});

const RunChangedRef = builder.objectRef<ItemOf<"CHANGED">>("RunChanged").implement({
  description:
    "Another field of the run changed: a request to stop, blockers, priority, message, the warnings of policies.",
  interfaces: [RunEventRef, StreamItemRef],
  fields: (t) => ({
    fields: t.stringList({
      description: "The names of the fields of Run that changed.",
      resolve: ({ event }) => event.fields,
    }),
  }),
});

const PhaseChangedRef = builder.objectRef<ItemOf<"PHASE_CHANGED">>("PhaseChanged").implement({
  description: "A phase of the run began or ended.",
  interfaces: [RunEventRef, StreamItemRef],
  fields: (t) => ({
    phase: t.field({
      type: PhaseRef,
      description: "The phase as it is now.",
      resolve: async ({ event }, _args, { loaders }) =>
        present(await loaders.load(phaseLoader, event.phaseId), `Phase ${event.phaseId}`),
    }),
    to: t.field({ type: PhaseStatusEnum, description: "Its status since then.", resolve: ({ event }) => event.to }),
  }),
});

const PlanReadyRef = builder.objectRef<ItemOf<"PLAN_READY">>("PlanReady").implement({
  description: "A plan was made.",
  interfaces: [RunEventRef, StreamItemRef],
  fields: (t) => ({
    plan: t.field({
      type: PlanRef,
      description: "The plan.",
      resolve: async ({ event }, _args, { loaders }) =>
        present(await loaders.load(planLoader, event.planId), `Plan ${event.planId}`),
    }),
  }),
});

const ApprovalRecordedRef = builder.objectRef<ItemOf<"APPROVAL_RECORDED">>("ApprovalRecorded").implement({
  description: "A person decided at a gate; the run may need more decisions.",
  interfaces: [RunEventRef, StreamItemRef],
  fields: (t) => ({
    approval: t.field({
      type: ApprovalRef,
      description: "The decision.",
      resolve: async ({ event }, _args, { loaders }) =>
        present(await loaders.load(approvalLoader, event.approvalId), `Approval ${event.approvalId}`),
    }),
  }),
});

const CheckChangedRef = builder.objectRef<ItemOf<"CHECK_CHANGED">>("CheckChanged").implement({
  description: "The result of an external check was created, reported, or ended.",
  interfaces: [RunEventRef, StreamItemRef],
  fields: (t) => ({
    result: t.field({
      type: ExternalCheckResultRef,
      description: "The result as it is now.",
      resolve: async ({ event }, _args, { loaders }) =>
        present(await loaders.load(checkResultLoader, event.resultId), `Result ${event.resultId}`),
    }),
    to: t.field({ type: CheckStatusEnum, description: "Its state since then.", resolve: ({ event }) => event.to }),
  }),
});

const PolicyEvaluatedRef = builder.objectRef<ItemOf<"POLICY_EVALUATED">>("PolicyEvaluated").implement({
  description: "One version of a policy set has judged the plan of the run.",
  interfaces: [RunEventRef, StreamItemRef],
  fields: (t) => ({
    evaluation: t.field({
      type: PolicyEvaluationRef,
      nullable: true,
      description: "The judgement. `null` if it was deleted since.",
      resolve: ({ event }, _args, { loaders }) => loaders.load(policyEvaluationLoader, event.evaluationId),
    }),
  }),
});

const VerificationChangedRef = builder.objectRef<ItemOf<"VERIFICATION_CHANGED">>("VerificationChanged").implement({
  description:
    "The verification of an apply has a result, or a probe passes or fails that did not before. Its start is the status VERIFYING.",
  interfaces: [RunEventRef, StreamItemRef],
  fields: (t) => ({
    verification: t.field({
      type: VerificationRef,
      description: "The verification as it is now.",
      resolve: async ({ event }, _args, { loaders }) =>
        present(await loaders.load(verificationLoader, event.verificationId), `Verification ${event.verificationId}`),
    }),
    to: t.field({
      type: VerificationStatusEnum,
      description: "Its status since then.",
      resolve: ({ event }) => event.to,
    }),
  }),
});

/** The types of the events of runs, as members of the unions of streams. */
export const RUN_EVENT_REFS = [
  RunStatusChangedRef,
  RunChangedRef,
  PhaseChangedRef,
  PlanReadyRef,
  ApprovalRecordedRef,
  CheckChangedRef,
  PolicyEvaluatedRef,
  VerificationChangedRef,
] as const;

const EdgeRef = edgeRef<RunEventItem>("RunEvent", "event");
export const RunEventConnectionRef = connectionRef<RunEventItem>("RunEvent", "A page of a run's events, oldest first.");
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: RunEventRef, description: "The event.", resolve: (edge) => edge.node }),
);
builder.objectField(RunEventConnectionRef, "edges", (t) =>
  t.field({ type: [EdgeRef], description: "The events.", resolve: (connection) => connection.edges }),
);

/** A page of the history of a run. */
export async function readEvents(
  context: GraphqlContext,
  runId: string,
  args: PageArguments,
): Promise<Connection<RunEventItem>> {
  const { caller, domain } = context;
  const name = eventsOfRun(context, runId);
  const page = await domain.listRunEvents(caller, runId, toPageRequest(args, { name, position: numberPosition }));
  return toConnection(
    name,
    { ...page, items: page.items.map((event) => toEventItem(event, writeCursor(name, event.version))) },
    ({ event }) => event.version,
  );
}
