/** Deliveries as git hosts send them: their documented headers and the parts of bodies that count. */
import { createHmac } from "node:crypto";
import type { GitHostKind } from "../../src/model/repository/git-host.ts";
import { send } from "./send.ts";

export interface Delivery {
  headers: Record<string, string>;
  body: Buffer;
}

interface Facts {
  /** The id of the repository at its host. */
  id?: string;
  name?: string;
  delivery?: string;
  event?: string;
}

type Hooking = Exclude<GitHostKind, "GIT">;

const hex = (secret: string, body: Buffer): string => createHmac("sha256", secret).update(body).digest("hex");

/** Signs a body as a kind of host does. */
export function signedBody(
  kind: GitHostKind,
  secret: string,
  body: Buffer,
  headers: Readonly<Record<string, string>>,
): Delivery {
  const signature: Record<GitHostKind, Record<string, string>> = {
    GIT: {},
    GITHUB: { "x-hub-signature-256": `sha256=${hex(secret, body)}` },
    BITBUCKET_CLOUD: { "x-hub-signature": `sha256=${hex(secret, body)}` },
    BITBUCKET_SERVER: { "x-hub-signature": `sha256=${hex(secret, body)}` },
    GITEA: { "x-gitea-signature": hex(secret, body) },
    FORGEJO: { "x-forgejo-signature": hex(secret, body) },
    GITLAB: { "x-gitlab-token": secret },
  };
  return { headers: { "content-type": "application/json", ...headers, ...signature[kind] }, body };
}

/** Builds a push, signed with the secret. */
export function push(kind: Hooking, secret: string, facts: Facts = {}): Delivery {
  const { id = "42", name = "acme/infrastructure", delivery = "delivery-1" } = facts;
  const [owner = "", repository = ""] = name.split("/");
  const json = { "content-type": "application/json" };
  switch (kind) {
    case "GITHUB": {
      const body = textOf({
        ref: "refs/heads/main",
        commits: [{ id: "x" }],
        repository: { id: Number(id), full_name: name },
      });
      const signature = `sha256=${hex(secret, body)}`;
      const event = facts.event ?? "push";
      return {
        headers: { ...json, "x-github-event": event, "x-github-delivery": delivery, "x-hub-signature-256": signature },
        body,
      };
    }
    case "GITEA":
    case "FORGEJO": {
      const body = textOf({ ref: "refs/heads/main", repository: { id: Number(id), full_name: name } });
      const own = kind === "GITEA" ? "gitea" : "forgejo";
      const event = facts.event ?? "push";
      return {
        headers: {
          ...json,
          [`x-${own}-event`]: event,
          [`x-${own}-delivery`]: delivery,
          [`x-${own}-signature`]: hex(secret, body),
        },
        body,
      };
    }
    case "GITLAB": {
      const body = textOf({
        object_kind: "push",
        project_id: 1,
        project: { id: Number(id), path_with_namespace: name },
      });
      const event = facts.event ?? "Push Hook";
      return {
        headers: { ...json, "x-gitlab-event": event, "x-gitlab-event-uuid": delivery, "x-gitlab-token": secret },
        body,
      };
    }
    case "BITBUCKET_CLOUD": {
      const body = textOf({ push: { changes: [] }, repository: { full_name: name, uuid: `{${id}}` } });
      const event = facts.event ?? "repo:push";
      return {
        headers: {
          ...json,
          "x-event-key": event,
          "x-request-uuid": delivery,
          "x-hub-signature": `sha256=${hex(secret, body)}`,
        },
        body,
      };
    }
    case "BITBUCKET_SERVER": {
      const body = textOf({
        eventKey: "repo:refs_changed",
        repository: { slug: repository, id: Number(id), project: { key: owner.toUpperCase() } },
      });
      const event = facts.event ?? "repo:refs_changed";
      return {
        headers: {
          ...json,
          "x-event-key": event,
          "x-request-id": delivery,
          "x-hub-signature": `sha256=${hex(secret, body)}`,
        },
        body,
      };
    }
  }
}

/** Builds a push of GitLab that is signed by the specification Standard Webhooks. */
export function signedGitLabPush(secret: string, facts: Facts = {}): Delivery {
  const { headers, body } = push("GITLAB", "", facts);
  const { "x-gitlab-token": _token, ...rest } = headers;
  const key = secret.startsWith("whsec_") ? Buffer.from(secret.slice("whsec_".length), "base64") : secret;
  const [id, timestamp] = ["message-1", "1700000000"];
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64");
  const signed = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
  return { headers: { ...rest, ...signed }, body };
}

function textOf(content: object): Buffer {
  return Buffer.from(JSON.stringify(content));
}

/** Sends a delivery; returns the status. */
export async function deliver(url: string, hookPath: string, { headers, body }: Delivery): Promise<number> {
  return (await send(url + hookPath, { method: "POST", headers, body })).status;
}
