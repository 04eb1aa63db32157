/**
 * What HCP's documentation and JSON schemas of run tasks say about the messages of the protocol, as schemas of our own:
 * fields, types, closed sets and bounds. A message with a field that they do not have does not fit.
 */
import { z } from "zod";

const address = z.url({ protocol: /^https?$/ });
/** A key of the documentation that is `null` where there is none. */
const link = address.nullable();

const common = {
  payload_version: z.literal(1),
  access_token: z.string().min(1),
  capabilities: z.strictObject({ outcomes: z.boolean() }),
  configuration_version_download_url: link,
  configuration_version_id: z.string(),
  is_speculative: z.boolean(),
  organization_name: z.string().min(1),
  run_app_url: address,
  run_created_at: z.iso.datetime(),
  run_created_by: z.string(),
  run_id: z.string().min(1),
  run_message: z.string(),
  task_result_callback_url: address,
  task_result_enforcement_level: z.enum(["mandatory", "advisory"]),
  task_result_id: z.string().min(1),
  vcs_branch: z.string().nullable(),
  vcs_commit_url: link,
  vcs_pull_request_url: link,
  vcs_repo_url: link,
  workspace_app_url: address,
  workspace_id: z.string().min(1),
  workspace_name: z.string().min(1),
  workspace_working_directory: z.string(),
};

/** A request about a run. Only those after the plan name the plan. */
export const requestSchema = z.discriminatedUnion("stage", [
  z.strictObject({ ...common, stage: z.literal("pre_plan") }),
  ...(["post_plan", "pre_apply", "post_apply"] as const).map((stage) =>
    z.strictObject({ ...common, stage: z.literal(stage), plan_json_api_url: address }),
  ),
]);

/** A request that tests the address of a service, which knows it by its token. */
export const testSchema = z.strictObject({
  ...common,
  stage: z.literal("test"),
  access_token: z.literal("test-token"),
});

const label = z.strictObject({
  label: z.string().min(1).max(32),
  level: z.enum(["none", "info", "warning", "error"]).optional(),
});

/** A report about a result. The schema allows 10 outcomes of 10,000 characters; the documentation has no such bound. */
export const reportSchema = z.strictObject({
  data: z.strictObject({
    type: z.literal("task-results"),
    attributes: z.strictObject({
      status: z.enum(["running", "passed", "failed"]),
      message: z.string().min(1).max(1000).optional(),
      url: address.max(500).optional(),
    }),
    relationships: z
      .strictObject({
        outcomes: z.strictObject({
          data: z.array(
            z.strictObject({
              type: z.literal("task-result-outcomes"),
              attributes: z.strictObject({
                "outcome-id": z.string().min(1).max(64),
                description: z.string().min(1).max(1000),
                body: z.string().min(1).optional(),
                url: address.max(500).optional(),
                tags: z.record(z.string(), z.array(label)).optional(),
              }),
            }),
          ),
        }),
      })
      .optional(),
  }),
});

export type TaskRequest = z.output<typeof requestSchema>;
export type TaskReport = z.output<typeof reportSchema>;
