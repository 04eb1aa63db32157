import type { RunFilter } from "../../domain/kit/run-filter.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { RunOrder, RunSummary } from "../../model/run/run.ts";
import type { InputIssue } from "../../model/kit/user-error.ts";
import { builder } from "../kit/builder.ts";
import { type Connection, connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { namePosition } from "../kit/cursor.ts";
import { type PageArguments, pageArgs, toPageRequest } from "../kit/page.ts";
import { type DialectFilterInput, DialectFilterRef, toDialectFilter } from "./dialect-filter.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { inputError } from "../kit/errors.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { BlockerKindEnum } from "./blocker.ts";
import { checkIds, checkSearch } from "../kit/search-filter.ts";
import { checkSelector } from "../kit/label-filter.ts";
import { MetadataEntryInputRef } from "../kit/metadata.ts";
import { RunRef } from "../kit/refs.ts";
import { RequiredActionEnum, RunKindEnum, RunOutcomeEnum, RunStatusEnum, RunTriggerEnum } from "./run-enums.ts";
import { readsWholeRuns } from "./whole-run.ts";
import type { OperationInfo } from "../kit/marked-field.ts";

type RunConnection = Connection<RunSummary> & { totalCount: () => Promise<number> };

const EdgeRef = edgeRef<RunSummary>("Run", "run");
export const RunConnectionRef = connectionRef<RunSummary, { totalCount: () => Promise<number> }>(
  "Run",
  "A page of runs, newest first unless its field has another order. `totalCount` stops counting at 10000.",
);
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: RunRef, description: "The run.", resolve: (edge) => edge.node }),
);
builder.objectFields(RunConnectionRef, (t) => ({
  edges: t.field({ type: [EdgeRef], description: "The runs.", resolve: (connection) => connection.edges }),
  totalCount: t.int({
    description: "The number of runs in the whole list, counted only if it is selected, and up to 10000.",
    resolve: (connection) => connection.totalCount(),
  }),
}));

const DAYS = LIMITS.runSearchMs / (24 * 60 * 60 * 1000);
const RECENT = `Without \`createdAfter\` it selects among the runs of the last ${DAYS} days, but for a list of one workspace or changeset.`;

const RunOrderEnum = describedEnum<RunOrder>("RunOrder", "The order of a list of runs.", {
  NEWEST_FIRST: "By creation, the newest first.",
  OLDEST_FIRST: "By creation, the oldest first.",
});

export const RunFilterRef = builder.inputType("RunFilter", {
  description:
    "Selects runs. The given fields are joined by AND; an absent or null field does not filter; an empty list matches nothing.",
  fields: (t) => ({
    organizationId: t.id({ description: "Only runs of this organization." }),
    workspaceId: t.id({ description: "Only runs of this workspace. Refused as InvalidInput inside Workspace.runs." }),
    labels: t.stringList({
      description: `Only runs of workspaces that have all of these labels, at most ${LIMITS.labelsPerWorkspace}. "key" matches each value of that key.`,
    }),
    search: t.string({
      description: `Only runs whose message, or whose workspace's name, contains this text, without regard to case; at most ${LIMITS.searchTextLength} characters. ${RECENT}`,
    }),
    workspaceIds: t.idList({
      description: `Only runs of these workspaces, at most ${LIMITS.idsPerFilter}. Refused as InvalidInput inside Workspace.runs.`,
    }),
    workspaceSearch: t.string({
      description: `Only runs of workspaces whose name contains this text, without regard to case; at most ${LIMITS.searchTextLength} characters. ${RECENT}`,
    }),
    createdByIds: t.idList({
      description: `Only runs that one of these actors created, at most ${LIMITS.idsPerFilter}.`,
    }),
    outcomes: t.field({
      type: [RunOutcomeEnum],
      description: "Only runs that ended FINISHED with one of these outcomes.",
    }),
    requiredActions: t.field({
      type: [RequiredActionEnum],
      description: "Only runs whose `requiredAction` is one of these.",
    }),
    blockerKinds: t.field({
      type: [BlockerKindEnum],
      description: `Only runs that wait because of a blocker of one of these kinds; those that wait for a person at a gate have none. Refused as InvalidInput if the answer depends on more than ${LIMITS.freezeWindowsRead} different freeze windows: give \`organizationId\` or \`workspaceId\` as well.`,
    }),
    minDestructions: t.int({
      description: `Only runs whose newest plan destroys at least so many resources. ${RECENT}`,
    }),
    endedAfter: t.field({
      type: "DateTime",
      description: `Only runs that ended after this instant. Those that were created more than ${DAYS} days before it are left out.`,
    }),
    statuses: t.field({ type: [RunStatusEnum], description: "Only runs with one of these statuses." }),
    kinds: t.field({ type: [RunKindEnum], description: "Only runs of one of these kinds." }),
    triggers: t.field({ type: [RunTriggerEnum], description: "Only runs with one of these causes." }),
    needsApproval: t.boolean({
      description: "true: only runs that wait for a person at a gate; false: only others.",
    }),
    createdAfter: t.field({ type: "DateTime", description: "Only runs that were created after this instant." }),
    createdBefore: t.field({ type: "DateTime", description: "Only runs that were created before this instant." }),
    dialect: t.field({
      type: DialectFilterRef,
      description: "Only runs with these statuses in the terms of other products.",
    }),
    metadata: t.field({
      type: [MetadataEntryInputRef],
      description: "Only runs that have all of these metadata entries.",
    }),
  }),
});

/** The arguments of a list of runs. */
export function runListArgs() {
  return {
    ...pageArgs(),
    ...builder.args((t) => ({
      filter: t.field({ type: RunFilterRef, description: "Only runs that match this." }),
      order: t.field({ type: RunOrderEnum, description: "The order; by default the newest run is first." }),
    })),
  };
}

type Nullable<Fields> = { [Key in keyof Fields]?: Fields[Key] | null | undefined };
export type RunFilterInput = Nullable<Required<Omit<RunFilter, "dialect">>> & {
  dialect?: DialectFilterInput | null | undefined;
};
type RunListArguments = PageArguments & {
  offset?: number | null | undefined;
  filter?: RunFilterInput | null | undefined;
  order?: RunOrder | null | undefined;
};

/** The fields that search, beside those that name a part of the vocabulary. */
function searchesOf(given: RunFilterInput): RunFilter {
  const {
    search,
    workspaceIds,
    workspaceSearch,
    createdByIds,
    outcomes,
    minDestructions,
    endedAfter,
    requiredActions,
    blockerKinds,
  } = given;
  return {
    ...(typeof search === "string" && { search }),
    ...(Array.isArray(workspaceIds) && { workspaceIds }),
    ...(typeof workspaceSearch === "string" && { workspaceSearch }),
    ...(Array.isArray(createdByIds) && { createdByIds }),
    ...(Array.isArray(outcomes) && { outcomes }),
    ...(Array.isArray(requiredActions) && { requiredActions }),
    ...(Array.isArray(blockerKinds) && { blockerKinds }),
    ...(typeof minDestructions === "number" && { minDestructions }),
    ...(typeof endedAfter === "string" && { endedAfter }),
  };
}

function checkSearches(workspaceId: string | null, given: RunFilterInput): void {
  checkSearch(["filter", "search"], given.search);
  checkSearch(["filter", "workspaceSearch"], given.workspaceSearch);
  checkIds(["filter", "workspaceIds"], given.workspaceIds);
  checkIds(["filter", "createdByIds"], given.createdByIds);
  if ((given.minDestructions ?? 0) < 0) {
    throw inputError([{ path: ["filter", "minDestructions"], message: "Must be 0 or more." }]);
  }
  if (workspaceId !== null && Array.isArray(given.workspaceIds)) {
    const message = "The list has the runs of one workspace already. Leave `workspaceIds` out.";
    throw inputError([{ path: ["filter", "workspaceIds"], message }]);
  }
}

export function toFilter(workspaceId: string | null, { filter }: Pick<RunListArguments, "filter">): RunFilter {
  const given = filter ?? {};
  if (workspaceId !== null && typeof given.workspaceId === "string") {
    throw inputError([
      {
        path: ["filter", "workspaceId"],
        message: "The list has the runs of one workspace already. Leave `workspaceId` out.",
      },
    ]);
  }
  if ((given.metadata?.length ?? 0) > LIMITS.metadataEntries) {
    throw inputError([{ path: ["filter", "metadata"], message: `Give at most ${LIMITS.metadataEntries} entries.` }]);
  }
  checkSelector(["filter", "labels"], given.labels ?? []);
  checkSearches(workspaceId, given);
  const only = workspaceId ?? given.workspaceId ?? null;
  const { organizationId, labels, statuses, kinds, triggers, needsApproval, createdAfter, createdBefore, metadata } =
    given;
  return {
    ...(only !== null && { workspaceId: only }),
    ...searchesOf(given),
    ...(typeof organizationId === "string" && { organizationId }),
    ...(Array.isArray(labels) && { labels }),
    ...(Array.isArray(statuses) && { statuses }),
    ...(Array.isArray(kinds) && { kinds }),
    ...(Array.isArray(triggers) && { triggers }),
    ...(typeof needsApproval === "boolean" && { needsApproval }),
    ...(typeof createdAfter === "string" && { createdAfter }),
    ...(typeof createdBefore === "string" && { createdBefore }),
    ...(given.dialect && { dialect: toDialectFilter(given.dialect) }),
    ...(Array.isArray(metadata) && { metadata }),
  };
}

/** Returns the number of runs to skip. An offset replaces cursors and is refused beside them. */
function toOffset({ offset, after, before, last }: RunListArguments): number {
  if (typeof offset !== "number") return 0;
  const issues: InputIssue[] = [];
  if (offset < 0 || offset > LIMITS.maxOffset) {
    issues.push({ path: ["offset"], message: `Must be from 0 to ${LIMITS.maxOffset}. Use cursors beyond that.` });
  }
  for (const [name, value] of Object.entries({ after, before, last })) {
    if (value !== null && value !== undefined) {
      issues.push({ path: ["offset"], message: `Give \`offset\` or \`${name}\`, not both.` });
    }
  }
  if (issues.length > 0) throw inputError(issues);
  return offset;
}

/** The object that has the runs of a list. */
type RunOwner = { workspaceId: string } | { changesetId: string };

/** Reads a page of the runs of one workspace or changeset, or of all runs that the caller may read. */
export async function readRuns(
  { caller, domain }: GraphqlContext,
  owner: RunOwner | null,
  args: RunListArguments,
  info: OperationInfo,
): Promise<RunConnection> {
  const name = owner === null ? "runs" : `runs of ${Object.values(owner).join()}`;
  const request = toPageRequest(args, { name, position: namePosition });
  const offset = toOffset(args);
  const inWorkspace = owner !== null && "workspaceId" in owner;
  const filter = { ...toFilter(inWorkspace ? owner.workspaceId : null, args), ...(!inWorkspace && owner) };
  const detail = readsWholeRuns(info) ? "WHOLE" : "SUMMARY";
  const order = args.order ?? "NEWEST_FIRST";
  const page = await domain.listRuns(caller, filter, request, { detail, offset, order });
  const connection = toConnection(name, page, (run) => run.id);
  return { ...connection, totalCount: () => domain.countRuns(caller, filter, LIMITS.countAtMost) };
}

builder.queryField("runs", (t) =>
  t.field({
    type: RunConnectionRef,
    description:
      "The runs of all workspaces that the caller may read, newest first. `offset` is an alternative to `after`.",
    args: {
      ...runListArgs(),
      offset: t.arg.int({ description: `The number of newest runs to skip; at most ${LIMITS.maxOffset}.` }),
    },
    resolve: (_root, args, context, info) => readRuns(context, null, args, info),
  }),
);
