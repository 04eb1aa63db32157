import type { GraphQLSchema } from "graphql";

import { builder } from "./builder.ts";
// Each of these adds its types and fields to the builder when it is loaded; that is how Pothos collects a schema.
import "./scalars.ts";
import "./node.ts";
import "./viewer.ts";
import "./organization.ts";
import "./policy.ts";
import "./organization-list.ts";
import "./organization-mutations.ts";
import "./workspace.ts";
import "./workspace-lock.ts";
import "./workspace-mutations.ts";
import "./workspace-statistics.ts";
import "./workspace-settings.ts";
import "./variable.ts";
import "./run.ts";
import "./run-time.ts";
import "./run-list.ts";
import "./run-timeline.ts";
import "./bulk.ts";
import "./run-creation.ts";
import "./run-decisions.ts";
import "./approval-requirement.ts";
import "./approval-withdrawal.ts";
import "./run-comment.ts";
import "./run-cancellation.ts";
import "./run-retry.ts";
import "./run-priority.ts";
import "./run-promotion.ts";
import "./run-stream.ts";
import "./log-stream.ts";
import "./workspace-stream.ts";
import "./organization-stream.ts";
import "./plan.ts";
import "./resource-change.ts";
import "./phase.ts";
import "./approval.ts";
import "./blocker.ts";
import "./failure.ts";
import "./token.ts";
import "./webhook.ts";
import "./webhook-delivery.ts";
import "./webhook-mutations.ts";

/** The public schema, sorted. */
export const schema: GraphQLSchema = builder.toSchema({ sortSchema: true });
