/**
 * Answers that are made of parts at several places: refused commands, figures of changesets, results of bulk operations,
 * statistics, blockers, approvers, explanations. Each caller gets the parts that the oracle lets it see, and the counts of those.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Permission, permissionsIn } from "../../src/model/people/permission-set.ts";
import { BUILT_IN, type BuiltInRole, permissionsOf } from "../../src/model/people/role.ts";
import type { Data } from "../support/api.ts";
import { createMixedWorld, leaksIn, type MixedWorld, placeOf } from "./mixed-world.ts";
import { blockerOf } from "./field-probes.ts";
import { createPrincipals, DIFFERING, has, type Principal } from "./principals.ts";
import { openWalkScene, type WalkScene } from "./walk-scene.ts";
import { createWorld, readPlaces, type World, type WorldPlace } from "./world.ts";

const SOME: readonly string[] = [
  ...DIFFERING,
  "OPERATOR of the installation",
  "ADMIN of the isolated project",
  "ADMIN of the workspace",
  "only WORKSPACE_READ",
];
const INSTALLATION: WorldPlace = { organizationId: null, projectId: null, workspaceId: null, isIsolated: false };

let walk: WalkScene;
let world: World;
let mixed: MixedWorld;
let principals: Principal[];
beforeAll(async () => {
  walk = await openWalkScene();
  world = await createWorld(walk);
  mixed = await createMixedWorld(walk, world);
  principals = await createPrincipals(walk, world, ["WORKSPACE_READ"], SOME);
  const [shown, isolated] = world.workspaces;
  const at = (role: BuiltInRole, scopeId: string) => ({
    permissions: permissionsIn(permissionsOf(role)),
    scopeId,
    organizationId: walk.organizationId,
  });
  principals.push(
    { name: "one that lost rights", ...mixed.loser, grants: [at("MAINTAINER", shown?.projectId ?? "")] },
    {
      name: "one that is cut off",
      ...mixed.cutCaller,
      grants: [at("WRITER", walk.organizationId), at("READER", isolated?.id ?? "")],
    },
  );
  world = { ...world, ...(await readPlaces(walk)) };
}, 300_000);
afterAll(async () => {
  expect(walk.scene.server.reported).toEqual([]);
  await walk[Symbol.asyncDispose]();
});

const isSomewhere = (principal: Principal, permission: Permission): boolean =>
  world.workspaces.some(({ id }) => has(principal, permission, placeOf(world, id)));
const sees = (principal: Principal, sight: Permission, id: string): boolean =>
  has(principal, sight, placeOf(world, id));

/** Asks each caller, whose answer must name nothing that is hidden to it. */
async function askEach(
  query: string,
  variables: Record<string, unknown>,
  check: (principal: Principal, data: Data) => void,
): Promise<void> {
  for (const principal of principals) {
    const { data, errors } = await principal.api.send(query, variables);
    expect(errors, principal.name).toBeUndefined();
    expect(leaksIn(JSON.stringify(data), principal, world), principal.name).toEqual([]);
    check(principal, data);
  }
}

describe("refused commands", () => {
  const FIELDS = `edges { cursor node { command subjectId subject { id } code message } } pageInfo { hasNextPage endCursor }`;
  const LISTS: Readonly<Record<string, string>> = {
    organization: `node(id: $id) { ... on Organization { rejectedCommands(first: 4, after: $after) { ${FIELDS} } } }`,
    workspace: `node(id: $id) { ... on Workspace { rejectedCommands(first: 4, after: $after) { ${FIELDS} } } }`,
    run: `node(id: $id) { ... on Run { rejectedCommands(first: 4, after: $after) { ${FIELDS} } } }`,
  };

  interface Refused {
    of: { id: string; list: string; sight: Permission };
    rows: Data[];
  }

  /** From the rows, and not by the code that is tried. */
  async function refusedOf(): Promise<Refused[]> {
    const rows = await walk.scene.rows(
      `select r.*, w.project_id, coalesce(p.isolated, false) as isolated from rejected_command r
        left join workspace w on w.id = r.workspace_id left join project p on p.id = w.project_id
        where r.organization_id is not null order by r.id desc`,
    );
    const lists: Refused["of"][] = [
      ...world.organizations.map(({ id }) => ({ id, list: "organization", sight: "ORGANIZATION_READ" as const })),
      ...world.workspaces.map(({ id }) => ({ id, list: "workspace", sight: "WORKSPACE_READ" as const })),
      ...mixed.gateRuns.map((id) => ({ id, list: "run", sight: "RUN_READ" as const })),
    ];
    const column: Record<string, string> = {
      organization: "organization_id",
      workspace: "workspace_id",
      run: "subject_id",
    };
    return lists.map((of) => ({ of, rows: rows.filter((row) => row[column[of.list] ?? ""] === of.id) }));
  }

  it("are those about what the caller sees, page by page without gaps", async () => {
    let hidden = 0;
    for (const { of, rows } of await refusedOf()) {
      expect(rows.length, of.list).toBeGreaterThan(0);
      for (const principal of principals) {
        const wanted = rows.filter(({ sight, ...row }) =>
          has(principal, sight, {
            organizationId: row.organization_id,
            projectId: row.project_id,
            workspaceId: row.workspace_id,
            isIsolated: row.isolated,
          }),
        );
        hidden += wanted.length === 0 ? 0 : rows.length - wanted.length;
        const isShown = sees(principal, of.sight, of.id);
        const found: Data[] = [];
        let after: string | null = null;
        do {
          const query = `query ($id: ID!, $after: String) { ${LISTS[of.list]} }`;
          const { node }: Data = await principal.api.ask(query, { id: of.id, after });
          expect(node !== null, `${principal.name}: ${of.list}`).toBe(isShown);
          if (node === null) break;
          const { edges, pageInfo } = node.rejectedCommands;
          // A short page would tell of a command that is hidden.
          expect(edges.length, `${principal.name}: ${of.list}`).toBe(Math.min(4, wanted.length - found.length));
          found.push(...edges.map((edge: Data) => edge.node));
          after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
        } while (after !== null);
        const shown = (one: Data) => [one.command, one.subjectId ?? one.subject_id, one.code, one.message].join();
        expect(found.map(shown), `${principal.name}: ${of.list}`).toEqual(isShown ? wanted.map(shown) : []);
        expect(leaksIn(JSON.stringify(found), principal, world), principal.name).toEqual([]);
      }
    }
    expect(hidden).toBeGreaterThan(10);
  }, 120_000);
});

describe("a changeset", () => {
  it("counts and lists the workspaces whose runs the caller reads, and is hidden with all of them", async () => {
    const rows = await walk.scene.rows(
      `select m.workspace_id as id, m.wave, r.id as run, p.additions from changeset_member m join run r on r.id = m.run_id
        join plan p on p.run_id = r.id where m.changeset_id = $1`,
      mixed.changesetId,
    );
    expect(new Set(rows.map(({ additions }) => additions))).toEqual(new Set([3, 40]));
    const counts = new Set<number>();
    await askEach(
      `query ($id: ID!) { node(id: $id) { ... on Changeset { counts { workspaces additions }
        waves { total } runs(first: 10) { totalCount edges { node { id } } } } } }`,
      { id: mixed.changesetId },
      (principal, { node }) => {
        const seen = rows.filter(({ id }) => sees(principal, "RUN_READ", id));
        counts.add(seen.length);
        if (seen.length === 0) return expect(node, principal.name).toBeNull();
        expect(node.counts, principal.name).toEqual({
          workspaces: seen.length,
          additions: seen.reduce((sum, { additions }) => sum + additions, 0),
        });
        expect(node.waves).toEqual([{ total: seen.length }]);
        expect(node.runs.totalCount).toBe(seen.length);
        expect(new Set(node.runs.edges.map((edge: Data) => edge.node.id))).toEqual(new Set(seen.map(({ run }) => run)));
      },
    );
    expect(counts).toEqual(new Set([0, 1, 2]));
  });
});

describe("a bulk operation", () => {
  it("counts and names the runs that the caller reads, though it is allowed to stop it, or has lost rights", async () => {
    const shares = new Set<string>();
    for (const id of mixed.operationIds) {
      const items = await walk.scene.rows(
        `select i.*, o.created_by, r.workspace_id from bulk_item i join bulk_operation o on o.id = i.operation_id
          join run r on r.id = i.run_id where o.id = $1 order by position`,
        id,
      );
      expect(items.every(({ done_at: at }) => at !== null)).toBe(true);
      await askEach(
        `query ($id: ID!) { node(id: $id) { ... on BulkOperation { total done succeeded failed
          results(first: 50) { edges { node { runId run { id } newRun { id } message } } } } } }`,
        { id },
        (principal, { node }) => {
          const isShown = items[0]?.created_by === principal.actorId || has(principal, "BULK_OTHERS", INSTALLATION);
          if (!isShown) return expect(node, principal.name).toBeNull();
          const seen = items.filter((item) => sees(principal, "RUN_READ", item.workspace_id));
          shares.add(`${seen.length} of ${items.length}`);
          const succeeded = seen.filter(({ ok }) => ok).length;
          expect(node, principal.name).toMatchObject({
            total: seen.length,
            done: seen.length,
            succeeded,
            failed: seen.length - succeeded,
          });
          expect(node.results.edges.map((edge: Data) => edge.node.runId)).toEqual(seen.map((item) => item.run_id));
        },
      );
    }
    expect([...shares].toSorted()).toEqual(["1 of 2", "2 of 3"]);
  });

  it("is started over the runs that the caller reads", async () => {
    for (const principal of principals.filter((one) => isSomewhere(one, "RUN_CANCEL"))) {
      const filter = { kinds: ["PLAN"], statuses: ["CANCELED"] };
      const runs = await walk.scene.rows(
        "select workspace_id as id from run where kind = 'PLAN' and status = 'CANCELED'",
      );
      const { operation } = await walk.send(
        principal.api,
        "bulkRunAction",
        { action: "CANCEL", filter },
        "operation { total }",
      );
      expect(operation.total, principal.name).toBe(runs.filter(({ id }) => sees(principal, "RUN_READ", id)).length);
    }
  });
});

describe("statistics and waiting runs", () => {
  it("are those of the workspaces whose runs the caller reads", async () => {
    const at = walk.scene.server.deps.clock().getTime();
    const window = { from: new Date(at - 86_400_000).toISOString(), to: new Date(at + 86_400_000).toISOString() };
    for (const { id } of world.workspaces) {
      const [ended] = await walk.scene.rows(
        "select count(*)::int as count from run where workspace_id = $1 and finished_at is not null",
        id,
      );
      expect(ended?.count).toBeGreaterThan(0);
      await askEach(
        `query ($id: ID!, $from: DateTime!, $to: DateTime!) { node(id: $id) { ... on Workspace {
          statistics(from: $from, to: $to) { endedRuns } } } }`,
        { id, ...window },
        (principal, { node }) => {
          const wanted = sees(principal, "RUN_READ", id) ? { endedRuns: ended?.count } : null;
          if (sees(principal, "WORKSPACE_READ", id)) expect(node.statistics, principal.name).toEqual(wanted);
          else expect(node, principal.name).toBeNull();
        },
      );
    }
  });

  it("are of an organization those of the runs that the caller reads", async () => {
    const at = walk.scene.server.deps.clock().getTime();
    const window = { from: new Date(at - 86_400_000).toISOString(), to: new Date(at + 86_400_000).toISOString() };
    const ended = await walk.scene.rows(
      "select workspace_id as id, count(*)::int as count from run where organization_id = $1 and finished_at is not null group by 1",
      walk.organizationId,
    );
    expect(ended.length).toBeGreaterThan(1);
    await askEach(
      `query ($id: ID!, $from: DateTime!, $to: DateTime!) { node(id: $id) { ... on Organization {
        statistics(from: $from, to: $to) { endedRuns runs { count } } } } }`,
      { id: walk.organizationId, ...window },
      (principal, { node }) => {
        if (node === null) return;
        const seen = ended.filter(({ id }) => sees(principal, "RUN_READ", String(id)));
        const count = seen.reduce((sum, row) => sum + Number(row["count"]), 0);
        expect(node.statistics.endedRuns, principal.name).toBe(count);
        const parts = node.statistics.runs.reduce((sum: number, one: Data) => sum + one.count, 0);
        expect(parts, principal.name).toBe(count);
      },
    );
  });

  it("name what blocks them, and nothing that is hidden", async () => {
    await walk.make(
      "updateOrganization",
      { organizationId: walk.organizationId, concurrencyLimit: 1 },
      "organization { id }",
    );
    // Work in the isolated workspace takes the place.
    const waiting = await Promise.all(
      world.workspaces.slice(0, 2).map(({ id }) => walk.scene.createRun(id, { kind: "PLAN", message: "waits" })),
    );
    world = { ...world, ...(await readPlaces(walk)) };
    const query = `{ runs(first: 100) { edges { node { id workspace { id }
      blockers { kind message position estimatedStartAt run { id } } } } } }`;
    let reduced = 0;
    const shownTo = async (principal: Pick<Principal, "api">): Promise<Data[]> =>
      (await principal.api.ask(query)).runs.edges.map((edge: Data) => edge.node);
    const all = await shownTo(walk.scene);
    const kinds = new Set(all.flatMap(({ blockers }) => blockers.map((one: Data) => one.kind)));
    expect([...kinds]).toEqual(expect.arrayContaining(["WORKSPACE_BUSY", "ORGANIZATION_LIMIT"]));
    expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(waiting));
    await askEach(query, {}, (principal, { runs }) => {
      const wanted = all.filter(({ id }) => sees(principal, "RUN_READ", id));
      const got = runs.edges.map((edge: Data) => edge.node);
      const parts = (nodes: Data[]) => nodes.map(({ id, blockers }) => ({ id, blockers }));
      // Figures of the organization, and its runners, are shown to those who may read these.
      const shown = wanted.map((node) => ({
        ...node,
        blockers: node.blockers.map((one: Data) => ({ ...one, ...blockerOf(one, principal, placeOf(world, node.id)) })),
      }));
      expect(parts(got), principal.name).toEqual(parts(shown));
      for (const [index, node] of wanted.entries()) {
        if (JSON.stringify(shown[index]) !== JSON.stringify(node)) reduced += 1;
      }
    });
    expect(reduced).toBeGreaterThan(0);
  });
});

describe("eligible approvers", () => {
  it("are those people whom the caller may read", async () => {
    const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Run { id
      approvalRequirements { gate eligibleActors { id name } } } } }`;
    const ids = mixed.gateRuns;
    expect(ids).toHaveLength(3);
    const { nodes: all } = await walk.scene.api.ask(query, { ids });
    const mayRead = (principal: Principal, actorId: string): boolean =>
      actorId === principal.actorId ||
      has(principal, "MEMBER_READ", INSTALLATION) ||
      [...world.members].some(
        ([organizationId, members]) =>
          members.has(actorId) && has(principal, "MEMBER_READ", { ...INSTALLATION, organizationId }),
      );
    const sizes = new Set<number>();
    await askEach(query, { ids }, (principal, { nodes }) => {
      for (const [index, run] of all.entries()) {
        if (!sees(principal, "RUN_READ", run.id)) {
          expect(nodes[index], principal.name).toBeNull();
          continue;
        }
        const wanted = run.approvalRequirements.map((one: Data) => ({
          ...one,
          eligibleActors: one.eligibleActors.filter(({ id }: Data) => mayRead(principal, id)),
        }));
        sizes.add(wanted[0].eligibleActors.length);
        expect(nodes[index].approvalRequirements, principal.name).toEqual(wanted);
      }
    });
    expect(sizes.size).toBeGreaterThan(2);
  });
});

describe("an explanation", () => {
  const PERMISSIONS = ["PLAN_APPROVE", "RUN_DEPLOY"] as const;
  /** Those with grants at different places. */
  const EXPLAINED: readonly string[] = [
    "ADMIN of the organization",
    "ADMIN of the isolated project",
    "ADMIN of the workspace",
    "READER of the isolated project",
    "AUDITOR of the installation",
    "one that is cut off",
    "a stranger",
  ];
  const SIGHTS: Readonly<Record<string, Permission>> = {
    org: "ORGANIZATION_READ",
    prj: "PROJECT_READ",
    ws: "WORKSPACE_READ",
  };

  it("says what the grants say that the caller reads, and nothing of others", async () => {
    const grants = await walk.scene.rows("select * from access_grant where revoked_at is null and expires_at is null");
    const teams = await walk.scene.rows("select actor_id, team_id from team_member where lapses_at is null");
    const heldBy = (actorId: string) => {
      const ids = [actorId, ...teams.filter((one) => one.actor_id === actorId).map((one) => one.team_id)];
      return grants
        .filter((one) => ids.includes(one.principal_id))
        .map(({ id, role_id: roleId, scope_id: scopeId, organization_id: organizationId }) => {
          const { permissions } = BUILT_IN.find((role) => role.id === roleId) ?? {
            permissions: permissionsOf("READER"),
          };
          return { id, grants: [{ permissions: permissionsIn(permissions), scopeId, organizationId }] };
        });
    };
    const scopes = [...world.organizations, ...world.workspaces].map(({ id }) => id);
    scopes.push(...world.workspaces.map(({ projectId }) => projectId));
    const explained = principals.filter(({ name }) => EXPLAINED.includes(name));
    expect(explained).toHaveLength(EXPLAINED.length);
    const targets = [...explained.map(({ actorId }) => actorId), mixed.cutActorId];
    let shownAtAll = 0;
    let isolatedAtAll = 0;
    for (const principal of explained) {
      const ofPeople = (id: string) =>
        [...world.members].some(
          ([organizationId, members]) =>
            members.has(id) && has(principal, "MEMBER_READ", { ...INSTALLATION, organizationId }),
        ) || has(principal, "MEMBER_READ", INSTALLATION);
      for (const actorId of targets) {
        const isSelf = actorId === principal.actorId;
        const held = heldBy(actorId);
        const readable = held.filter(({ id }) => isSelf || sees(principal, "MEMBER_READ", id));
        const asked = scopes.flatMap((id) => PERMISSIONS.map((permission) => ({ id, permission })));
        const aliases = asked.map(
          ({ id, permission }, at) => `a${at}: explain(permission: ${permission}, subjectId: "${id}",
            actorId: "${actorId}") { allowed by { id } limitedBy reason }`,
        );
        const { viewer } = await principal.api.ask(`{ viewer { ${aliases.join(" ")} } }`);
        for (const [at, { id, permission }] of asked.entries()) {
          const got = viewer[`a${at}`];
          const place = placeOf(world, id);
          const title = `${principal.name}: ${permission} of ${actorId} at ${id}`;
          const isShown =
            sees(principal, SIGHTS[id.slice(0, id.indexOf("_"))] ?? "MEMBER_READ", id) &&
            (isSelf || (has(principal, "MEMBER_READ", place) && (readable.length > 0 || ofPeople(actorId))));
          if (!isShown) {
            expect(got, title).toBeNull();
            continue;
          }
          shownAtAll += 1;
          const gives = (some: typeof held) =>
            some.filter((one) => has({ ...principal, cap: {}, grants: one.grants }, permission, place));
          const allowed = isSelf ? has(principal, permission, place) : gives(held).length > 0;
          expect(got.allowed, title).toBe(allowed);
          expect(new Set(got.by.map((grant: Data) => grant.id)), title).toEqual(
            new Set(gives(readable).map((one) => one.id)),
          );
          const cut = readable.some((one) => {
            const open = { ...place, isIsolated: false };
            return (
              has({ ...principal, cap: {}, grants: one.grants }, permission, open) &&
              !has({ ...principal, cap: {}, grants: one.grants }, permission, place)
            );
          });
          const isolated = got.limitedBy.some((text: string) => text.includes("isolated"));
          expect(isolated, title).toBe(cut && gives(held).length === 0);
          if (isolated) isolatedAtAll += 1;
          const own = isSelf ? held.map((one) => one.id) : [];
          const leaks = leaksIn(JSON.stringify(got), principal, world).filter(
            (leak) =>
              !own.includes(leak) && leak !== actorId && !held.some((one) => isSelf && one.grants[0]?.scopeId === leak),
          );
          expect(leaks, `${title}: ${JSON.stringify(got)}`).toEqual([]);
        }
      }
    }
    expect(shownAtAll).toBeGreaterThan(100);
    expect(isolatedAtAll).toBeGreaterThan(0);
  }, 120_000);
});
