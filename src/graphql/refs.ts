/** The types that several files refer to; each is implemented in the file of its resource. */
import type { StateLock } from "../domain/domain.ts";
import type { Approval } from "../model/approval.ts";
import type { Blocker } from "../model/blocker.ts";
import type { Failure } from "../model/failure.ts";
import type { LogLine } from "../model/log.ts";
import type { Phase } from "../model/phase.ts";
import type { Plan } from "../model/plan.ts";
import type { Run } from "../model/run.ts";
import type { RunComment } from "../model/run-comment.ts";
import type { Token } from "../model/token.ts";
import type { Organization, Workspace, WorkspaceLock } from "../model/workspace.ts";
import { builder } from "./builder.ts";

export const OrganizationRef = builder.objectRef<Organization>("Organization");
export const WorkspaceRef = builder.objectRef<Workspace>("Workspace");
export const WorkspaceLockRef = builder.objectRef<WorkspaceLock>("WorkspaceLock");
export const StateLockRef = builder.objectRef<StateLock>("StateLock");
export const RunRef = builder.objectRef<Run>("Run");
export const PlanRef = builder.objectRef<Plan>("Plan");
export const PhaseRef = builder.objectRef<Phase>("Phase");
export const ApprovalRef = builder.objectRef<Approval>("Approval");
export const RunCommentRef = builder.objectRef<RunComment>("RunComment");
export const BlockerRef = builder.objectRef<Blocker>("Blocker");
export const FailureRef = builder.objectRef<Failure>("Failure");
export const LogLineRef = builder.objectRef<LogLine>("LogLine");
export const TokenRef = builder.objectRef<Token>("Token");
