import { afterAll, beforeAll, expect, it } from "vitest";
import { fakePlan } from "../support/fake-runner.ts";
import { openScene, type Scene } from "../domain/scene.ts";

/** Planted wherever something secret can be, each in its own way; none may lie in clear anywhere. */
const PLANTED = {
  source: "planted-in-the-source-7f3a",
  archive: "planted-in-the-archive-7f3a",
  state: "planted-in-the-state-7f3a",
  output: "planted-in-a-sensitive-output-7f3a",
  variable: "planted-in-a-sensitive-variable-7f3a",
  environment: "planted-in-the-environment-7f3a",
};

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

async function tables(): Promise<string[]> {
  const rows = await scene.rows("select tablename as name from pg_tables where schemaname = 'public'");
  return rows.map(({ name }) => name);
}

/** Tables in which a text lies in clear: in any column, as text or as bytes. */
async function whereIs(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const table of await tables()) {
    const columns = await scene.rows(
      "select column_name as name, data_type as type from information_schema.columns where table_name = $1",
      table,
    );
    const tests = columns.map(({ name, type }) =>
      type === "bytea" ? `position($1::bytea in "${name}") > 0` : `strpos("${name}"::text, $2) > 0`,
    );
    const both = "and $1::bytea is not null and $2::text is not null";
    const rows = await scene.rows(
      `select 1 from "${table}" where (${tests.join(" or ")}) ${both} limit 1`,
      Buffer.from(text),
      text,
    );
    if (rows.length > 0) found.push(table);
  }
  return found;
}

it("nothing that may be secret lies in clear in the database after a whole run", async () => {
  // A random file does not compress away what is planted beside it: the archive itself is what must be sealed.
  const path = await scene.server.makeSource("secretive", { "main.tf": `# ${PLANTED.source}` });
  const workspaceId = await scene.createWorkspace({ source: { directory: { path } } });
  await scene.send("setVariable", { workspaceId, key: "a", value: PLANTED.variable, sensitive: true });
  await scene.send("setVariable", { workspaceId, key: "B", value: PLANTED.environment, category: "ENVIRONMENT" });
  const runId = await scene.createRun(workspaceId, { message: "visible-7f3a" });
  const plan = await scene.claim(runId);
  expect(plan.job.variables.map(({ value }) => value)).toEqual([PLANTED.variable, PLANTED.environment]);
  const archive = Buffer.concat([Buffer.alloc(1024 * 1024 - 10, 1), Buffer.from(PLANTED.archive)]);
  await plan.request("PUT", "archive", archive);
  await plan.message({ type: "prepared" });
  await plan.message({ type: "initialized" });
  await plan.request("PUT", "archive", archive);
  await plan.log("PLAN", "visible in the log");
  await plan.message({ type: "planned", plan: fakePlan() });
  await scene.quick("approveRun", { runId, gate: "PLAN", planVersion: 1 });
  await scene.quick("approveRun", { runId, gate: "APPLY", planVersion: 1 });
  const apply = await scene.claim(runId);
  await apply.message({ type: "prepared" });
  await apply.lockState("lock");
  const outputs = { secret: { value: PLANTED.output, sensitive: true }, open: { value: "open-7f3a" } };
  await apply.writeState("lock", { serial: 1, lineage: "line", outputs, resources: [{ secret: PLANTED.state }] });
  await apply.message({ type: "applied", appliedAddresses: [] });
  expect((await scene.run(runId, "outcome")).outcome).toBe("APPLIED");
  // The search finds what is there in clear.
  expect(await whereIs("visible-7f3a")).toEqual(["run"]);
  expect(await whereIs("open-7f3a")).toEqual(["state_version"]);
  for (const text of Object.values(PLANTED)) expect([text, await whereIs(text)]).toEqual([text, []]);
  const { token } = scene.api;
  for (const secret of [token, scene.server.runnerToken, plan.job.token]) {
    const [, bare = secret] = secret.split(".");
    expect(await whereIs(bare)).toEqual([]);
  }
  // Two bodies that are the same look different: nobody can tell by comparing.
  const pieces = await scene.rows("select md5(body) as hash from blob_piece");
  expect(new Set(pieces.map(({ hash }) => hash)).size).toBe(pieces.length);
  expect(scene.server.reported).toEqual([]);
});

it("a sealed value fits one place only: moved elsewhere it is refused", async () => {
  const { job, workspaceId } = await scene.reach("APPLYING");
  const other = await scene.reach("APPLYING");
  const blobs = await scene.rows(
    "select archive_blob_id as id from plan join run on run.id = plan.run_id where workspace_id in ($1, $2)",
    workspaceId,
    other.workspaceId,
  );
  await scene.rows(
    "update blob_piece set body = (select body from blob_piece where blob_id = $2) where blob_id = $1",
    blobs[0].id,
    blobs[1].id,
  );
  const answers = await Promise.allSettled([job, other.job].map((each) => each.request("GET", "archive")));
  // What is intact is no JSON; of what is not, nothing is sent.
  const names = answers.map((answer): string =>
    answer.status === "rejected" ? answer.reason.name : String(answer.value.status),
  );
  expect(names.toSorted()).toEqual(["500", "SyntaxError"]);
  expect(scene.server.reported.splice(0)).toHaveLength(1);
});
