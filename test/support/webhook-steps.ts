/** Webhooks as their admins and their targets see them. */
import { createHmac } from "node:crypto";
import { LIMITS } from "../../src/model/kit/limits.ts";
import type { AttemptResult, DeliveryLimits } from "../../src/model/webhook/webhook.ts";
import { startWebhookDeliveries } from "../../src/workers/webhook-deliveries.ts";
import type { Api, Data } from "./api.ts";
import type { InProcess } from "./in-process.ts";
import { createArrivals, type Received } from "./webhook-target.ts";

const WEBHOOK = "webhook { id url events description enabled goneAt workspace { id } createdBy { id } }";
const DELIVERY = `id type payload state createdAt nextAttemptAt finishedAt
  attempts { number statusCode error response durationMs }`;
const COMMANDS = {
  createWebhook: `${WEBHOOK} secret`,
  updateWebhook: WEBHOOK,
  deleteWebhook: "deletedId",
  rotateWebhookSecret: "secret",
  testWebhook: `delivery { ${DELIVERY} }`,
  redeliverWebhook: `delivery { ${DELIVERY} }`,
};
export type WebhookCommand = keyof typeof COMMANDS;

/** What the command answers, whatever it is. */
export async function sendWebhookCommand(api: Api, command: WebhookCommand, input: object): Promise<Data> {
  const type = command.charAt(0).toUpperCase() + command.slice(1);
  const issues = command === "deleteWebhook" ? "" : "... on InvalidInputError { issues { path message } }";
  const answer = await api.ask(
    `mutation ($input: ${type}Input!) { ${command}(input: $input) { __typename
      ... on ${type}Success { ${COMMANDS[command]} } ... on UserError { code message } ${issues} } }`,
    { input },
  );
  return answer[command];
}

/** Newest first. */
export async function readWebhookDeliveries(api: Api, webhookId: string, args = ""): Promise<Data[]> {
  const { node } = await api.ask(
    `query ($id: ID!) { node(id: $id) { ... on Webhook { deliveries${args} { edges { node { ${DELIVERY} } } } } } }`,
    { id: webhookId },
  );
  return node.deliveries.edges.map((edge: Data) => edge.node);
}

export interface Deliverer extends AsyncDisposable {
  /** What came of the next attempt, once it is written down. */
  next(): Promise<AttemptResult>;
}

/** Delivers what this server is asked to; tests do not wait between attempts. */
export function startDeliverer(server: InProcess, limits: Partial<DeliveryLimits> = {}): Deliverer {
  const { deps, hub, webhookJobs } = server;
  if (webhookJobs === null) throw new Error("The server keeps no jobs for webhooks.");
  const attempts = createArrivals<AttemptResult>();
  const worker = startWebhookDeliveries(deps, {
    jobs: webhookJobs,
    hub,
    allowed: deps.webhookAllow,
    limits: { ...LIMITS.webhookDelivery, retryMs: [0, 0, 0], ...limits },
    onAttempt: (result) => attempts.push(result),
  });
  return { next: () => attempts.next(), [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose]() };
}

/** Whether a message is signed with this secret, as the specification has it and independently of what signs. */
export function isSigned({ headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const text = [headers["webhook-id"], headers["webhook-timestamp"], body].join(".");
  const signature = createHmac("sha256", key).update(text).digest("base64");
  return String(headers["webhook-signature"]).split(" ").includes(`v1,${signature}`);
}
