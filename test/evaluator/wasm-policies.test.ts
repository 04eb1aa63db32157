import { beforeAll, describe, expect, it } from "vitest";
import { dialectInput } from "../../src/evaluator/dialect/dialect-input.ts";
import { readResults } from "../../src/evaluator/dialect/dialect-results.ts";
import { readDocument } from "../../src/evaluator/document/plan-document.ts";
import { createEvaluator } from "../../src/evaluator/evaluator.ts";
import type { Json } from "../../src/model/plan/json.ts";
import type { JudgeInput } from "../../src/model/policy/evaluator.ts";
import type { PolicyDialect } from "../../src/model/policy/policy-set.ts";
import type { PolicySource, WasmPolicy } from "../../src/model/policy/policy-source.ts";
import { CONTEXT, change, inputOf, judgeHere, planOf, problemsHere, WIDE_LIMITS } from "../support/policy-input.ts";
import { type EntryWork, type ModuleSpec, regoModule } from "../support/rego-module.ts";

const MIB = 1024 * 1024;
/** On a machine under load the wall clock may come first. */
const LIMIT_OR_BACKSTOP =
  /^Policy "a\/deny" (?:used \d+ ms of CPU time; the limit is 200 ms|took \d+ ms; the limit is 1200 ms, 6 times that of CPU time)\.$/;
const plan = planOf(
  change("aws_s3_bucket", "logs", { acl: "public-read" }),
  change("aws_s3_bucket", "logs_archive", { acl: "private" }, { actions: ["delete", "create"] }),
);

const policy = (entrypoint: string, more: Partial<WasmPolicy> = {}): WasmPolicy => ({
  name: entrypoint,
  point: "PLAN",
  level: "MANDATORY",
  stopsAutoApply: true,
  entrypoint,
  ...more,
});

async function sourceOf(
  spec: ModuleSpec,
  policies = Object.keys(spec.entrypoints).map((name) => policy(name)),
): Promise<PolicySource & { language: "REGO_WASM" }> {
  return { language: "REGO_WASM", policies, module: await regoModule(spec), data: {} };
}

async function judge(
  work: EntryWork,
  { dialect = "HOLDPOINT", entrypoint = "holdpoint/deny" }: { dialect?: PolicyDialect; entrypoint?: string } = {},
  more: Partial<JudgeInput> = {},
) {
  const [report] = judgeHere(
    await sourceOf({ entrypoints: { [entrypoint]: work } }),
    inputOf(plan, { dialect, ...more }),
  );
  if (report === undefined) throw new Error("no report");
  return report;
}

describe("a module", () => {
  it("is judged entry point by entry point, and gets its data", async () => {
    const source = await sourceOf({
      entrypoints: {
        "a/deny": { result: '["aws_s3_bucket.logs is public"]' },
        "b/deny": { result: "[]" },
        "c/deny": { abort: "functions must not produce multiple outputs" },
        "d/deny": { result: '["last"]' },
      },
    });
    const reports = judgeHere({ ...source, data: { allowed: [1] } }, inputOf(plan));
    expect(reports).toMatchObject([
      { findings: [{ rule: "deny", message: "aws_s3_bucket.logs is public", trace: null }], errors: [] },
      { findings: [], errors: [] },
      { findings: [], errors: [{ kind: "EXPRESSION", message: "functions must not produce multiple outputs" }] },
      { findings: [{ message: "last" }], errors: [] },
    ]);
  });

  it("calls the functions of its host", async () => {
    const report = await judge({ call: "sprintf", args: ['"%s is %v of %q"', '["x", {2, 1}, "y"]'] });
    // A text is no set.
    expect(report.errors).toMatchObject([{ kind: "SHAPE" }]);
    const split = await judge({ call: "regex.split", args: ['","', '"aws_s3_bucket.logs,other"'] });
    expect(split.findings.map(({ message }) => message)).toEqual(["aws_s3_bucket.logs", "other"]);
    // Undefined: the operand is no text.
    expect((await judge({ call: "regex.split", args: ['","', "1"] })).errors).toMatchObject([{ kind: "SHAPE" }]);
    const set = await judge({ call: "object.keys", args: ['{"b": 1, "a": 2}'] });
    expect(set.errors).toMatchObject([{ kind: "EXPRESSION" }]);
  });

  it("compares by `sanitized` with the key of the run, and fails without one", async () => {
    const words = '{"hunter2", "other"}';
    const options = { dialect: "SPACELIFT", entrypoint: "spacelift/deny" } as const;
    const work = { call: "sanitized", args: ['"hunter2"'] };
    // A text is no set: the error shows that the function was called, and which text it gave.
    const { errors } = await judge(work, options, { documentKey: "key" });
    expect(errors).toMatchObject([{ kind: "SHAPE", message: expect.stringContaining("is a string") }]);
    expect((await judge(work, options)).errors).toMatchObject([
      { kind: "MISSING", message: expect.stringContaining("sanitized() needs the key of a run") },
    ]);
    expect(problemsHere(await sourceOf({ entrypoints: { "spacelift/deny": work } }))).toEqual([]);
    expect((await judge({ call: "sanitized", args: [words] }, options, { documentKey: "key" })).errors).toHaveLength(1);
  });

  it("has the instant of the judgement as its clock", async () => {
    const { errors, findings } = await judge(
      { call: "time.date", args: ["now"] },
      { dialect: "HCP" },
      { context: { ...CONTEXT, holdpoint: { ...CONTEXT.holdpoint, at: "2024-02-29T08:00:00.000Z" } } },
    );
    expect([errors, findings.map(({ message }) => message)]).toEqual([[], ["2024", "2", "29"]]);
  });

  it("has a bound of memory", async () => {
    expect((await judge("grow")).errors).toMatchObject([
      { kind: "MEMORY", message: "The module used all of its memory; the limit is 320 MiB." },
    ]);
  });

  it("ends where its CPU time is used up, and leaves others alone", async () => {
    const evaluator = createEvaluator();
    const source = await sourceOf({ entrypoints: { "a/deny": "loop", "b/deny": { result: '["found"]' } } });
    // It is sent in parts.
    const large = { ...source, module: padded(source.module, 5 * MIB) };
    const judgement = await evaluator.judge(large, inputOf(plan), { ...WIDE_LIMITS, cpuMsPerPolicy: 200 });
    await evaluator.close();
    expect(judgement.errors).toMatchObject([{ policy: "a/deny", kind: "TIME" }]);
    expect(judgement.errors[0]?.message).toMatch(LIMIT_OR_BACKSTOP);
    expect(judgement.findings).toMatchObject([{ policy: "b/deny", message: "found" }]);
  });
});

describe("results", () => {
  const messagesOf = async (result: string, options?: { dialect?: PolicyDialect; entrypoint?: string }) =>
    (await judge({ result }, options)).findings.map(({ message }) => message);

  it("are texts, or objects with a text; addresses are named or found", async () => {
    const result = JSON.stringify([
      "bucket aws_s3_bucket.logs_archive is bad",
      "both: aws_s3_bucket.logs, aws_s3_bucket.logs_archive.",
      { msg: "named", address: "aws_s3_bucket.logs", severity: "HIGH", remediation: "Fix it" },
      { message: "list", resource: ["a.b", "c.d"] },
      "none of xaws_s3_bucket.logs or aws_s3_bucket.logs[0]",
    ]);
    expect((await judge({ result })).findings).toMatchObject([
      { addresses: ["aws_s3_bucket.logs_archive"], addressesInferred: true },
      { addresses: ["aws_s3_bucket.logs", "aws_s3_bucket.logs_archive"], addressesInferred: true },
      { message: "named", addresses: ["aws_s3_bucket.logs"], addressesInferred: false, remediation: "Fix it" },
      { message: "list", addresses: ["a.b", "c.d"], addressesInferred: false },
      { addresses: [], addressesInferred: false },
    ]);
  });

  it.each([
    ['"text"', "is a string; it must be a set"],
    ["1", "is a number"],
    ["true", "is a boolean"],
    ["null", "is null"],
    ['{"a": "b"}', "is an object"],
    ["[1]", "holds a number; it must be a set of texts or objects"],
    ["[null]", "holds null"],
    ['[["a"]]', "holds an array"],
    ['[{"text": "a"}]', "holds an object without a text `msg`"],
    ['[{"msg": 1}]', "holds an object without a text `msg`"],
    ['[{"msg": "a", "address": 1}]', "holds an `address` that is no text"],
    ['["right", 1]', "holds a number"],
  ])("%s are an error, never a pass", async (result, message) => {
    const { findings, errors } = await judge({ result });
    expect(findings).toEqual([]);
    expect(errors).toEqual([{ kind: "SHAPE", message: expect.stringContaining(`data.holdpoint.deny ${message}`) }]);
  });

  it("that nest too deep are an error", async () => {
    const { errors } = await judge({ result: `["a", ${"[".repeat(20_000)}${"]".repeat(20_000)}]` });
    expect(errors).toHaveLength(1);
  });

  it("that are undefined are an error", async () => {
    expect((await judge("undefined")).errors).toMatchObject([
      { kind: "SHAPE", message: expect.stringContaining("is undefined") },
    ]);
  });

  it("of HCP are any members of an array", async () => {
    const options = { dialect: "HCP", entrypoint: "terraform/deny" } as const;
    expect(await messagesOf('["a", 1, {"address": "x"}, {"msg": "m"}]', options)).toEqual([
      "a",
      "1",
      '{"address":"x"}',
      "m",
    ]);
    expect((await judge({ result: '"text"' }, options)).errors).toMatchObject([{ kind: "SHAPE" }]);
  });

  it("are bounded", () => {
    const many = Array.from({ length: 1500 }, (_, n) => `${n} ${"x".repeat(2000)}`);
    const { findings, dropped } = readResults(many, { dialect: "CONFTEST", entrypoint: "main/deny", addresses: [] });
    expect([findings.length, dropped, findings[0]?.message.length]).toEqual([1000, 500, 1000]);
  });

  it("may demand approvals", async () => {
    const own = '[{"name": "Network", "teamIds": ["team_1"], "minimum": 2, "reason": "A router changes"}]';
    expect((await judge({ result: own }, { entrypoint: "holdpoint/require_approval" })).findings).toMatchObject([
      {
        message: "A router changes",
        approvers: { name: "Network", approverIds: [], teamIds: ["team_1"], minimum: 2, excludeRequester: true },
      },
    ]);
    const forgecroft = { dialect: "FORGECROFT", entrypoint: "forgecroft/policy/require_approval" } as const;
    const theirs = '[{"team": "network", "min": 1, "stage": "plan", "reason": "why", "timeout_hours": 4}]';
    expect((await judge({ result: theirs }, forgecroft)).findings).toMatchObject([
      { message: "why", approvers: { name: "plan", teamIds: ["network"], minimum: 1 } },
    ]);
    for (const wrong of ['["text"]', "[{}]", '[{"team": "a", "min": 0}]', '[{"team": 1}]']) {
      expect((await judge({ result: wrong }, forgecroft)).errors).toMatchObject([{ kind: "SHAPE" }]);
    }
  });
});

describe("the input", () => {
  const context = {
    ...CONTEXT,
    run: {
      ...CONTEXT.run,
      createdAt: "2026-11-26T07:59:00.000Z",
      commit: "abc",
      branch: "main",
      targets: [],
      replace: [],
      variables: { region: { category: "ENGINE", sensitive: false } },
    },
    workspace: {
      ...CONTEXT.workspace,
      labels: { env: "prod", team: "" },
      project: { id: "prj_1", name: "core" },
      autoApply: "NEVER",
      repository: "acme/infra",
      branch: "main",
      directory: "net",
    },
    cost: { currency: "USD", monthlyBefore: "10.00", monthlyAfter: "15.50", monthlyDelta: "5.50" },
    previousRun: {
      id: "run_0",
      status: "COMPLETED",
      message: "before",
      commit: "def",
      createdAt: "2026-11-25T07:59:00.000Z",
    },
  };

  function inputFor(dialect: PolicyDialect): Json {
    const input = inputOf(plan, { dialect, context, custom: { infracost: { totalMonthlyCost: "15.50" }, tfsec: {} } });
    return dialectInput(dialect, { context: input.context, document: readDocument(input) });
  }

  it("reaches the module", async () => {
    const { findings } = await judge({
      call: "object.get",
      args: ["input", '["plan", "resource_changes", 0, "change", "actions"]', "null"],
    });
    expect(findings.map(({ message }) => message)).toEqual(["create"]);
  });

  it("of HOLDPOINT has the names of rules in CEL", async () => {
    expect(Object.keys(inputFor("HOLDPOINT") ?? {}).sort()).toEqual([
      "actor",
      "approvals",
      "cost",
      "custom",
      "holdpoint",
      "organization",
      "plan",
      "previousRun",
      "run",
      "workspace",
    ]);
  });

  it("of HCP is plan and run", async () => {
    expect(inputFor("HCP")).toMatchObject({
      plan,
      run: {
        id: "run_1",
        created_by: "alice",
        commit_sha: "abc",
        is_destroy: false,
        speculative: false,
        target_addrs: [],
        organization: { name: "acme" },
        project: { id: "prj_1", name: "core" },
        variables: { region: { category: "input", sensitive: false } },
        workspace: {
          name: "network",
          auto_apply: false,
          tags: ["env:prod", "team"],
          tag_bindings: [
            { key: "env", value: "prod" },
            { key: "team", value: "" },
          ],
          vcs_repo: { identifier: "acme/infra", branch: "main" },
        },
      },
    });
  });

  it("of SPACELIFT is spacelift, terraform and third_party_metadata", async () => {
    expect(inputFor("SPACELIFT")).toMatchObject({
      spacelift: {
        run: {
          type: "TRACKED",
          created_at: 1_795_679_940_000_000_000,
          changes: [
            {
              action: "added",
              entity: { address: "aws_s3_bucket.logs", data: { values: { acl: "public-read" } } },
              phase: "plan",
            },
            { action: "deleted", entity: { address: "aws_s3_bucket.logs_archive" } },
            { action: "added", entity: { address: "aws_s3_bucket.logs_archive" } },
          ],
        },
        stack: { name: "network", labels: ["env:prod", "team"], autodeploy: false, repository: "acme/infra" },
        commit: { hash: "abc", branch: "main" },
        request: { timestamp_ns: 1_795_680_000_000_000_000 },
        previous_run: { id: "run_0", commit: { hash: "def" } },
      },
      terraform: { resource_changes: [{ address: "aws_s3_bucket.logs" }, {}], terraform_version: "1.11.4" },
      third_party_metadata: { custom: { tfsec: {} }, infracost: { totalMonthlyCost: "15.50" } },
    });
  });

  it("of SPACELIFT has the sums of an estimate that no hook has made", () => {
    const document = readDocument(inputOf(plan, { dialect: "SPACELIFT", context, custom: {} }));
    const total = (totalMonthlyCost: string) => ({ totalMonthlyCost });
    expect(dialectInput("SPACELIFT", { context, document })).toMatchObject({
      third_party_metadata: {
        infracost: {
          currency: "USD",
          totalMonthlyCost: "15.50",
          projects: [{ pastBreakdown: total("10.00"), breakdown: total("15.50"), diff: total("5.50") }],
        },
      },
    });
    const without = dialectInput("SPACELIFT", { context: { ...context, cost: null }, document });
    expect(without).toMatchObject({ third_party_metadata: { custom: {} } });
    expect(without).not.toHaveProperty("third_party_metadata.infracost");
  });

  it("of SCALR is tfplan and tfrun", async () => {
    expect(inputFor("SCALR")).toMatchObject({
      tfplan: plan,
      tfrun: {
        source: "api",
        environment: { name: "core" },
        workspace: { name: "network", tags: ["env:prod", "team"] },
        vcs: { commit: { sha: "abc" } },
        cost_estimate: { prior_monthly_cost: 10, proposed_monthly_cost: 15.5, delta_monthly_cost: 5.5 },
      },
    });
  });

  it("of CONFTEST is the plan, and of FORGECROFT has its changes", async () => {
    expect(inputFor("CONFTEST")).toEqual(plan);
    expect(inputFor("FORGECROFT")).toMatchObject({
      org: { name: "acme" },
      user: { name: "alice" },
      plan_changes: [{ address: "aws_s3_bucket.logs", action: "CREATE" }, { action: "REPLACE" }],
    });
  });
});

describe("the check of a module", () => {
  let right: Uint8Array;
  beforeAll(async () => {
    right = await regoModule({ entrypoints: { "a/deny": { result: "[]" } } });
  });
  const messagesOf = (module: Uint8Array, policies = [policy("a/deny")]) =>
    problemsHere({ language: "REGO_WASM", policies, module, data: {} }).map(
      ({ file, message }) => `${file}: ${message}`,
    );

  it("accepts what OPA compiles", () => {
    expect(messagesOf(right)).toEqual([]);
  });

  it("refuses functions by name", async () => {
    const module = await regoModule({
      entrypoints: { "a/deny": { call: "sprintf", args: ['""', "[]"] } },
      needs: ["http.send", "opa.runtime", "io.jwt.decode", "time.now_ns"],
    });
    expect(messagesOf(module)).toEqual([
      'policy.wasm: The module needs the function "http.send", which policies may not use: it opens connections.',
      'policy.wasm: The module needs the function "opa.runtime", which policies may not use: it reads the environment of a process.',
      'policy.wasm: The module needs the function "io.jwt.decode", which does not exist here.',
    ]);
    // A version that was stored nevertheless is an error as well.
    const source = { language: "REGO_WASM", policies: [policy("a/deny")], module, data: {} } as const;
    expect(judgeHere(source, inputOf(plan))).toMatchObject([{ findings: [], errors: [{ kind: "MISSING" }] }]);
  });

  it("refuses other imports by name", async () => {
    const imports = await importing();
    expect(messagesOf(imports)).toContain(
      'policy.wasm: The module imports the function "wasi_snapshot_preview1.fd_write", which OPA does not use.',
    );
  });

  it("refuses what is too large, no module, of another version, or has other entry points", async () => {
    expect(messagesOf(new Uint8Array(33 * MIB))).toEqual([
      "policy.wasm: The module has 33 MiB; at most 32 MiB are allowed.",
    ]);
    expect(messagesOf(new Uint8Array([0x1f, 0x8b]))).toEqual([
      expect.stringContaining("The file is no WebAssembly module"),
    ]);
    const other = await regoModule({ entrypoints: { "a/deny": { result: "[]" } }, abiVersion: 2 });
    expect(messagesOf(other)).toEqual([expect.stringContaining("version of OPA's interface is 2")]);
    expect(messagesOf(right, [policy("b/deny"), policy("a/deny"), policy("a/deny")])).toEqual([
      'policy.wasm: The module has no entry point "b/deny". It has: a/deny.',
      'policy.wasm: Two policies are named "a/deny". Give each a name of its own.',
    ]);
  });
});

/** A module with an import of WASI, and nothing of OPA. */
async function importing(): Promise<Uint8Array> {
  const { default: wabtFactory } = await import("wabt");
  const wabt = await wabtFactory();
  const source = '(module (import "wasi_snapshot_preview1" "fd_write" (func (param i32))))';
  return wabt.parseWat("other.wat", source).toBinary({}).buffer;
}

/** Adds a section to a module that has no meaning. */
function padded(module: Uint8Array, bytes: number): Uint8Array {
  const size: number[] = [];
  for (let rest = bytes + 2; rest > 0; rest = Math.floor(rest / 128)) size.push((rest % 128) + (rest >= 128 ? 128 : 0));
  return Buffer.concat([module, Buffer.from([0, ...size, 1, 120]), Buffer.alloc(bytes)]);
}
