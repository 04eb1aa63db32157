import { describe, expect, it } from "vitest";
import type { GitHostKind } from "../../../src/model/repository/git-host.ts";
import { deliveryIdOf, refEventOf, repositoryIn } from "../../../src/model/repository/hook-event.ts";

const GITEA = {
  events: ["push", "create", "delete"],
  header: "x-gitea-event",
  deliveries: ["x-forgejo-delivery", "x-gitea-delivery"],
  body: { repository: { id: 7, full_name: "Acme/Infra" } },
  remoteId: "7",
};
const HOSTS: Record<Exclude<GitHostKind, "GIT">, typeof GITEA> = {
  GITHUB: { ...GITEA, header: "x-github-event", deliveries: ["x-github-delivery"] },
  GITEA,
  FORGEJO: { ...GITEA, header: "x-forgejo-event" },
  GITLAB: {
    events: ["Push Hook", "Tag Push Hook"],
    header: "x-gitlab-event",
    deliveries: ["idempotency-key", "x-gitlab-event-uuid", "webhook-id"],
    body: { project: { id: 7, path_with_namespace: "Acme/Infra" } } as unknown as typeof GITEA.body,
    remoteId: "7",
  },
  BITBUCKET_CLOUD: {
    events: ["repo:push"],
    header: "x-event-key",
    deliveries: ["x-request-uuid"],
    body: { repository: { uuid: "{7}", full_name: "Acme/Infra" } } as unknown as typeof GITEA.body,
    remoteId: "{7}",
  },
  BITBUCKET_SERVER: {
    events: ["repo:refs_changed"],
    header: "x-event-key",
    deliveries: ["x-request-id"],
    body: { repository: { id: 7, project: { key: "ACME" }, slug: "infra" } } as unknown as typeof GITEA.body,
    remoteId: "7",
  },
};
const names = Object.entries(HOSTS) as [Exclude<GitHostKind, "GIT">, typeof GITEA][];

describe.each(names)("a delivery of %s", (kind, { events, header, deliveries, body, remoteId }) => {
  it("names the events by which refs move", () => {
    for (const event of events) expect(refEventOf(kind, { [header]: event })).toBe(event);
    for (const event of ["ping", "issues", "", undefined, [events[0] ?? ""]]) {
      expect(refEventOf(kind, { [header]: event })).toBeNull();
    }
    expect(refEventOf("GIT", { [header]: events[0] })).toBeNull();
    expect(refEventOf(kind, { "x-other-event": events[0] })).toBeNull();
  });

  it("has the id of its first header that is there, cut to 200 characters", () => {
    const all = Object.fromEntries(deliveries.map((name, index) => [name, `id-${index}`]));
    for (const [index, name] of deliveries.entries()) {
      expect(deliveryIdOf(kind, all)).toBe(`id-${index}`);
      all[name] = "";
    }
    expect(deliveryIdOf(kind, all)).toBeNull();
    expect(deliveryIdOf(kind, { [deliveries[0] ?? ""]: "x".repeat(300) })).toBe("x".repeat(200));
    expect(deliveryIdOf("GIT", { [deliveries[0] ?? ""]: "x" })).toBeNull();
  });

  it("names its repository, in small letters", () => {
    const read = (content: object) => repositoryIn(kind, Buffer.from(JSON.stringify(content)));
    expect(read(body)).toEqual({ remoteId, name: "acme/infra" });
    expect(repositoryIn("GIT", Buffer.from(JSON.stringify(body)))).toBeNull();
    const [owner = ""] = Object.keys(body);
    const fields = Object.values(body)[0] ?? {};
    for (const field of Object.keys(fields)) {
      const { [field]: _left, ...rest } = fields as Record<string, unknown>;
      expect([field, read({ [owner]: rest })]).toEqual([field, null]);
    }
    expect(repositoryIn(kind, Buffer.from("no JSON"))).toBeNull();
  });
});

it("a name or an id that no database can have is none", () => {
  const read = (repository: object) => repositoryIn("GITHUB", Buffer.from(JSON.stringify({ repository })));
  expect(read({ id: "a\0", full_name: "a/b" })).toBeNull();
  expect(read({ id: 1, full_name: "a/\0" })).toBeNull();
  expect(read({ id: "x".repeat(200), full_name: "a/b" })).toEqual({ remoteId: "x".repeat(200), name: "a/b" });
  expect(read({ id: "x".repeat(201), full_name: "a/b" })).toBeNull();
});
