/** Builds the requests of external checks: the payload of HCP's run tasks, version 1. */
import { createHmac } from "node:crypto";
import type { CheckStage, ExternalCheckResult } from "../../model/check/external-check.ts";
import type { EnforcementLevel } from "../../model/policy/policy-set.ts";
import type { Run } from "../../model/run/run.ts";
import type { Organization, Workspace } from "../../model/workspace/workspace.ts";

/** The run, with its context, that a check is asked about. */
export interface CheckSubject {
  organization: Pick<Organization, "slug">;
  workspace: Pick<Workspace, "id" | "name" | "source">;
  run: Pick<Run, "id" | "kind" | "message" | "commitUrl" | "createdAt">;
  createdByName: string;
  /** `null`: the run has no source. */
  source: { blobId: string; workFolder: string } | null;
}

interface PayloadContent {
  /** The origin of the server. */
  origin: string;
  token: string;
  result: Pick<ExternalCheckResult, "id" | "stage" | "level">;
  subject: CheckSubject;
}

const STAGE_NAMES = {
  PRE_PLAN: "pre_plan",
  POST_PLAN: "post_plan",
  PRE_APPLY: "pre_apply",
  POST_APPLY: "post_apply",
} as const satisfies Record<CheckStage, string>;

/** The protocol has two levels. What waits for an override is mandatory to the service. */
const LEVEL_NAMES = {
  ADVISORY: "advisory",
  SOFT_MANDATORY: "mandatory",
  MANDATORY: "mandatory",
} as const satisfies Record<EnforcementLevel, string>;

/** Services know a test of their address by this token. */
const TEST_TOKEN = "test-token";

/** Builds the payload about a stage of a run. */
export function checkPayload({ origin, token, result, subject }: PayloadContent): object {
  const { organization, workspace, run, source } = subject;
  const base = `${origin}/check-results/${result.id}`;
  return {
    payload_version: 1,
    stage: STAGE_NAMES[result.stage],
    access_token: token,
    capabilities: { outcomes: true },
    configuration_version_download_url: source === null ? null : `${base}/source`,
    configuration_version_id: source?.blobId ?? "",
    is_speculative: run.kind === "PLAN",
    organization_name: organization.slug,
    ...(result.stage !== "PRE_PLAN" && { plan_json_api_url: `${base}/plan` }),
    run_app_url: `${origin}/r/${run.id}`,
    run_created_at: run.createdAt,
    run_created_by: subject.createdByName,
    run_id: run.id,
    run_message: run.message ?? "",
    task_result_callback_url: `${base}/callback`,
    task_result_enforcement_level: LEVEL_NAMES[result.level],
    task_result_id: result.id,
    ...repositoryOf(workspace.source),
    vcs_commit_url: run.commitUrl,
    vcs_pull_request_url: null,
    workspace_app_url: `${origin}/r/${workspace.id}`,
    workspace_id: workspace.id,
    workspace_name: workspace.name,
    workspace_working_directory: source === null || source.workFolder === "." ? "" : source.workFolder,
  };
}

/** Builds the payload that tests the address of a check: it is about no run, and its token opens nothing. */
export function testPayload(
  { origin, at }: { origin: string; at: string },
  organization: Pick<Organization, "slug">,
  level: EnforcementLevel,
): object {
  return {
    payload_version: 1,
    stage: "test",
    access_token: TEST_TOKEN,
    capabilities: { outcomes: true },
    configuration_version_download_url: null,
    configuration_version_id: "",
    is_speculative: true,
    organization_name: organization.slug,
    run_app_url: origin,
    run_created_at: at,
    run_created_by: "holdpoint",
    run_id: "test",
    run_message: "A test of the address of an external check",
    task_result_callback_url: `${origin}/check-results/test/callback`,
    task_result_enforcement_level: LEVEL_NAMES[level],
    task_result_id: "test",
    vcs_branch: null,
    vcs_commit_url: null,
    vcs_pull_request_url: null,
    vcs_repo_url: null,
    workspace_app_url: origin,
    workspace_id: "test",
    workspace_name: "test",
    workspace_working_directory: "",
  };
}

function repositoryOf(source: Workspace["source"]) {
  const url = source.type === "git" ? URL.parse(source.url) : null;
  // Addresses of ssh and of folders have no pages.
  const page = url?.protocol === "https:" ? `https://${url.host}${url.pathname.replace(/\.git$/, "")}` : null;
  return {
    vcs_branch: source.type === "git" ? source.branch : null,
    vcs_repo_url: page,
  };
}

/** Returns the headers of a request. Without a key the signature is empty, as services of the protocol expect. */
export function checkHeaders(body: string, hmacKey: string | null): Record<string, string> {
  return {
    "content-type": "application/json",
    "user-agent": "Holdpoint",
    "x-tfc-task-signature": hmacKey === null ? "" : createHmac("sha512", hmacKey).update(body).digest("hex"),
  };
}
