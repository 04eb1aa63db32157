import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { type CallerScope, EVERYTHING, NOTHING } from "../../src/model/people/permission.ts";
import { idRange, type SearchHit } from "../../src/model/search/search-hit.ts";
import { findByIds, findByName } from "../../src/persistence/search/name-store.ts";
import { openStores, type Stores } from "../support/store-fixtures.ts";

let stores: Stores;
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores[Symbol.asyncDispose]());

const some = (part: Partial<Extract<CallerScope, { type: "some" }>>): CallerScope => ({
  type: "some",
  organizationIds: [],
  hiddenProjectIds: [],
  projectIds: [],
  workspaceIds: [],
  ...part,
});
const find = (text: string, scope: CallerScope = EVERYTHING): Promise<SearchHit[]> =>
  findByName(stores.database, () => scope, text, 10);
const names = async (text: string, scope?: CallerScope): Promise<string[]> =>
  (await find(text, scope)).map(({ title, match }) => `${title} ${match}`).toSorted();

test("a text is found literally and without regard to case, at the beginning and elsewhere", async () => {
  for (const name of ["50%_off", "Übung", "über-uns", "zu-über"]) await stores.addWorkspace(name);
  expect(await names("50%_OFF")).toEqual(["50%_off EXACT"]);
  expect(await names("%")).toEqual(["50%_off PART"]);
  expect(await names("5%")).toEqual([]);
  expect(await names("\\")).toEqual([]);
  expect(await names("ÜB")).toEqual(["zu-über PART", "Übung PREFIX", "über-uns PREFIX"].toSorted());
  expect(await names("über-uns")).toEqual(["über-uns EXACT"]);
  expect(await names("über-unsinn")).toEqual([]);
});

test("a name that begins with a text is not found a second time within it", async () => {
  await stores.addWorkspace("aba-aba");
  expect(await names("aba")).toEqual(["aba-aba PREFIX"]);
});

test("deleted objects are not found", async () => {
  const { id } = await stores.addWorkspace("forsaken");
  expect(await names("forsaken")).toEqual(["forsaken EXACT"]);
  await sql`update workspace set deleted_at = now() where id = ${id}`.execute(stores.database.sql);
  expect(await names("forsaken")).toEqual([]);
  expect(await names("orsake")).toEqual([]);
});

test("actors are found by the organizations to which they belong", async () => {
  const { organizationId } = await stores.addWorkspace();
  const [member, mate, machine, stranger] = ["member", "mate", "machine", "stranger"].map((name) => ({
    id: stores.newId(name === "machine" ? "machineUser" : "user"),
    kind: name === "machine" ? "MACHINE" : "USER",
    name: `actor-${name}`,
  }));
  await stores.database.transaction(async (tx) => {
    for (const one of [member, mate, machine, stranger])
      await sql`insert into actor (id, kind, name, organization_id, created_at) values
        (${one?.id}, ${one?.kind}, ${one?.name}, ${one === machine ? organizationId : null}, now())`.execute(tx.sql);
    await sql`insert into access_grant (id, principal_id, role_id, organization_id, scope_id, granted_by, created_at)
      select ${stores.newId("grant")}, ${member?.id}, id, ${organizationId}, ${organizationId}, ${member?.id}, now()
      from role where organization_id is null limit 1`.execute(tx.sql);
    const teamId = stores.newId("team");
    await sql`insert into team (id, organization_id, name, created_at)
      values (${teamId}, ${organizationId}, 'actors', now())`.execute(tx.sql);
    await sql`insert into team_member (team_id, actor_id, source, added_at)
      values (${teamId}, ${mate?.id}, 'MANUAL', now())`.execute(tx.sql);
  });
  const members = ["actor-machine PREFIX", "actor-mate PREFIX", "actor-member PREFIX"];
  expect(await names("actor-")).toEqual([...members, "actor-stranger PREFIX"]);
  expect(await names("actor-", some({ organizationIds: [organizationId] }))).toEqual(members);
  expect(await names("actor-", some({ organizationIds: "ALL" }))).toEqual([...members, "actor-stranger PREFIX"]);
  expect(await names("actor-", some({ organizationIds: ["org_other"] }))).toEqual([]);
  expect(await names("actor-", NOTHING)).toEqual([]);
});

test("workspaces and projects are found within the scope alone", async () => {
  const shown = await stores.addWorkspace("scoped-a");
  const { projectId } = await stores.addWorkspace("scoped-b");
  const organizationIds = [shown.organizationId];
  expect(await names("scoped", some({ workspaceIds: [shown.id] }))).toEqual(["scoped-a PREFIX"]);
  expect(await names("coped", some({ workspaceIds: [shown.id] }))).toEqual(["scoped-a PART"]);
  expect(await names("scoped", some({ organizationIds }))).toHaveLength(2);
  expect(await names("scoped", some({ organizationIds, hiddenProjectIds: [projectId ?? ""] }))).toEqual([]);
  const kinds = async (scope: CallerScope) => (await find("default", scope)).map(({ kind }) => kind);
  expect(await kinds(some({ projectIds: [projectId ?? ""] }))).toEqual(["project"]);
  expect(await kinds(some({ organizationIds, hiddenProjectIds: [projectId ?? ""] }))).toEqual([
    "organization",
    "organization",
  ]);
});

test("runs and others are found by the beginning of their ids, and not outside of the scope", async () => {
  const workspace = await stores.addWorkspace("with-runs");
  const run = await stores.addRun(workspace);
  const byId = async (text: string, scope: CallerScope = EVERYTHING) => {
    const range = idRange(text);
    return range === null ? null : findByIds(stores.database, range, scope, 10);
  };
  expect(await byId(run.id)).toEqual([{ id: run.id, kind: "run", title: "#1", match: "EXACT" }]);
  await sql`update run set message = ${"First\nsecond"} where id = ${run.id}`.execute(stores.database.sql);
  expect(await byId(run.id.slice(0, 14))).toContainEqual({
    id: run.id,
    kind: "run",
    title: "#1 First",
    match: "PREFIX",
  });
  expect(await byId(run.id, some({ workspaceIds: [workspace.id] }))).toHaveLength(1);
  expect(await byId(run.id, some({ workspaceIds: ["ws_other"] }))).toEqual([]);
  expect(await byId(workspace.id)).toMatchObject([{ title: "with-runs" }]);
  await sql`update workspace set deleted_at = now() where id = ${workspace.id}`.execute(stores.database.sql);
  expect(await byId(run.id)).toEqual([]);
  expect(await byId(workspace.id)).toEqual([]);
});

test("a text within names is searched in the newest objects, and one at the beginning in all", async () => {
  await stores.addWorkspace("oldest-needle");
  await sql`insert into workspace (id, organization_id, project_id, name, source, plan_approval, auto_apply, created_at)
    select 'ws_z' || lpad(n::text, 25, '0'), w.organization_id, w.project_id, 'many-' || n, w.source, w.plan_approval,
      w.auto_apply, w.created_at
    from workspace w, generate_series(1, ${LIMITS.searchedNames}) n where w.name = 'oldest-needle'`.execute(
    stores.database.sql,
  );
  expect(await names("oldest-need")).toEqual(["oldest-needle PREFIX"]);
  expect(await names("needle")).toEqual([]);
  expect(await names("any-9999")).toEqual(["many-9999 PART"]);
  await sql`analyze workspace`.execute(stores.database.sql);
  const { rows } = await sql<{ "QUERY PLAN": string }>`explain select id from workspace
    where deleted_at is null and lower(name) collate "C" >= lower('many-7') and lower(name) collate "C" < lower('many-7') || chr(1114111)
    order by lower(name) collate "C", id limit 10`.execute(stores.database.sql);
  expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain("workspace_by_name");
});
