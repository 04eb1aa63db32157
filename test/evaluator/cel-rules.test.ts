import { describe, expect, inject, it } from "vitest";
import type { Json } from "../../src/model/plan/json.ts";
import type { CelRule } from "../../src/model/policy/policy-source.ts";
import { celRule, celSource, change, inputOf, judgeHere, planOf, problemsHere } from "../support/policy-input.ts";

function judgeRule(rule: CelRule, plan: Json, more: Parameters<typeof inputOf>[1] = {}) {
  const [report] = judgeHere(celSource(rule), inputOf(plan, more));
  if (report === undefined) throw new Error("no report");
  return report;
}

const addressesOf = (rule: CelRule, plan: Json) => judgeRule(rule, plan).findings.flatMap(({ addresses }) => addresses);

describe("the subjects of a rule", () => {
  const plan = planOf(
    change("aws_s3_bucket", "made", { acl: "private" }),
    change("aws_s3_bucket", "kept", { acl: "private" }, { actions: ["no-op"] }),
    change("aws_instance", "replaced", {}, { actions: ["delete", "create"] }),
    change("aws_s3_bucket", "gone", null, { actions: ["delete"], before: { acl: "private" } }),
    change("aws_ami", "read", {}, { actions: ["read"] }),
  );

  it("are changed resources in the order of the plan, without those that are read or unchanged", () => {
    expect(addressesOf(celRule("true"), plan)).toEqual([
      "aws_s3_bucket.made",
      "aws_instance.replaced",
      "aws_s3_bucket.gone",
    ]);
  });

  it("are those of its types and actions", () => {
    expect(addressesOf(celRule("true", { types: ["aws_s3_bucket", "aws_s3_bucket", "none"] }), plan)).toEqual([
      "aws_s3_bucket.made",
      "aws_s3_bucket.gone",
    ]);
    expect(addressesOf(celRule("true", { actions: ["NO_OP", "READ"] }), plan)).toEqual([
      "aws_s3_bucket.kept",
      "aws_ami.read",
    ]);
    expect(addressesOf(celRule('resource.action == "REPLACE"'), plan)).toEqual(["aws_instance.replaced"]);
  });

  it("are the plan where it is asked once", () => {
    const rule = celRule("size(plan.resource_changes) > 4", {
      each: "PLAN",
      message: "{{size(plan.resource_changes)}}",
    });
    expect(judgeRule(rule, plan)).toMatchObject({ findings: [{ message: "5", addresses: [] }], errors: [] });
  });

  it("are none before a plan", () => {
    const rule = celRule("plan == null", { each: "PLAN", message: "no plan" });
    expect(judgeRule(rule, null, { point: "RUN_CREATE" }).findings).toHaveLength(1);
    expect(judgeRule(celRule("true"), null, { point: "RUN_CREATE" })).toEqual({ findings: [], errors: [], dropped: 0 });
  });

  it("are an error where the document is missing", () => {
    for (const point of ["PLAN", "PRE_APPLY"] as const) {
      const error = { kind: "SHAPE", message: "The plan document is missing." };
      expect(judgeRule(celRule("true"), null, { point }).errors).toEqual([error]);
    }
  });
});

describe("values", () => {
  const after = {
    port: 22,
    ratio: 0.5,
    large: 9007199254740993n.toString(),
    none: null,
    tags: { Name: "x" },
    constructor: 1,
    list: [1, { a: 2 }],
  };
  const holds = (when: string, more: Json = after): unknown => {
    const report = judgeRule(celRule(when), planOf(change("t", "n", more)));
    return report.errors[0]?.message ?? report.findings.length === 1;
  };

  it.each([
    ["resource.after.port + 1 == 23", true],
    ["resource.after.ratio + 0.5 == 1.0", true],
    ["resource.after.port > 21.5", true],
    ["has(resource.after.none) && resource.after.none == null", true],
    ['"none" in resource.after', true],
    ["has(resource.after.missing)", false],
    ["has(resource.before.missing)", false],
    ["has(resource.after.toString)", false],
    ["resource.after.constructor == 1", true],
    ['resource.after.tags == {"Name": "x"}', true],
    ["resource.after.list == [1, {'a': 2}]", true],
    ["resource.after.list[1].a == 2", true],
    ["resource.after.tags.map(key, resource.after.tags[key]) == ['x']", true],
    ["size(resource.after) == 7 && size(resource.after.list) == 2", true],
    ["resource.after.exists(key, key == 'port')", true],
    ["timestamp(holdpoint.at) > timestamp('2026-11-26T07:00:00Z')", true],
    ["workspace.labels.env == 'prod' && actor.name == 'alice' && size(approvals) == 0", true],
    ["cost == null && previousRun == null && custom == {}", true],
  ])("%s is %s", (when, expected) => {
    expect(holds(when)).toBe(expected);
  });

  it.each([
    ["a number that no double holds", '{"n":9007199254740993}', "resource.after.n == '9007199254740993'"],
    ["the key __proto__", '{"__proto__":{"a":1}}', "resource.after.__proto__.a == 1 && size(resource.after) == 1"],
    ["a lone surrogate", '{"s":"\\ud800"}', "size(resource.after.s) == 1"],
    ["a large whole double", '{"n":1e20}', "resource.after.n > 1e19"],
  ])("%s keeps its meaning", (_, after, when) => {
    const plan = JSON.stringify(planOf(change("t", "n", "AFTER"))).replace('"AFTER"', after);
    const input = inputOf(null);
    const { zstdCompressSync } = process.getBuiltinModule("node:zlib");
    const document = zstdCompressSync(`{"plan":${plan},"custom":{}}`);
    const [report] = judgeHere(celSource(celRule(when)), { ...input, document });
    expect(report).toMatchObject({ findings: [{ addresses: ["t.n"] }], errors: [] });
  });

  it("are read at 1,000 levels", () => {
    let deep: Json = 1;
    for (let level = 0; level < 1000; level++) deep = { a: deep };
    expect(holds("has(resource.after.a.a.a)", deep)).toBe(true);
    expect(holds("resource.after == resource.after", deep)).toBe(true);
  });

  it("give linear matches", () => {
    const text = `${"a".repeat(10_000)}!`;
    expect(holds('resource.after.text.matches("^(a+)+$")', { text })).toBe(false);
  });
});

describe("a finding", () => {
  it("has the message with values, its trace, and what the policy demands", () => {
    const plan = planOf(change("aws_instance", "web", { type: "m5.large", count: 3, tags: null }));
    const rule = celRule(
      'resource.after.count > 2 && (resource.after.tags == null || !("Owner" in resource.after.tags))',
      {
        message:
          "Instance {{resource.name}} ({{resource.after.type}}) × {{resource.after.count + 1}}: {{resource.after.tags}}, {{resource.after.nope}}",
      },
    );
    expect(judgeRule(rule, plan)).toEqual({
      findings: [
        {
          rule: "rule",
          message: "Instance web (m5.large) × 4: null, (no value)",
          addresses: ["aws_instance.web"],
          addressesInferred: false,
          trace: [
            { expression: "resource.after.count > 2", value: "true" },
            { expression: "resource.after.count", value: "3" },
            { expression: "resource.after.tags == null", value: "true" },
            { expression: "resource.after.tags", value: "null" },
            {
              expression: '"Owner" in resource.after.tags',
              value: "error: found no matching overload for '@in' applied to '(string, null_type)'",
            },
          ],
        },
      ],
      errors: [],
      dropped: 0,
    });
  });

  it("is bounded, and so are their number and their traces", () => {
    const plan = planOf(...Array.from({ length: 1200 }, (_, n) => change("t", `n${n}`, { text: "x".repeat(500) })));
    const parts = Array.from({ length: 21 }, (_, n) => `size(resource.after.text) > ${n}`).join(" && ");
    const { findings, dropped } = judgeRule(celRule(parts, { message: "{{resource.after.text}} ".repeat(4) }), plan);
    expect([findings.length, dropped]).toEqual([1000, 200]);
    expect(findings[0]?.message.length).toBe(1000);
    expect(findings[0]?.trace).toHaveLength(20);
    expect(findings.filter(({ trace }) => trace !== null)).toHaveLength(50);
  });

  it("is one for a demand of approvals", () => {
    const approvers = { name: "Network", approverIds: ["user_2"], teamIds: [], minimum: 1, excludeRequester: true };
    const plan = planOf(change("t", "a", {}), change("t", "b", {}));
    expect(judgeRule(celRule("true", { approvers }), plan).findings).toMatchObject([{ addresses: ["t.a", "t.b"] }]);
  });
});

describe("a rule that fails", () => {
  const plan = planOf(
    change("t", "a", { n: 1 }),
    change("t", "b", {}),
    change("t", "c", {}),
    change("t", "d", { n: 9 }),
  );

  it("is an error, which names the resource; violations of others are kept", () => {
    expect(judgeRule(celRule("resource.after.n > 5"), plan)).toMatchObject({
      findings: [{ addresses: ["t.d"] }],
      errors: [{ kind: "EXPRESSION", message: "field not found: n (for t.b, and for 1 more of 4 resources)" }],
    });
  });

  it("is an error where `when` is neither true nor false", () => {
    expect(judgeRule(celRule("resource.after"), plan).errors).toMatchObject([{ kind: "SHAPE" }]);
  });

  it("is an error where the document has another shape", () => {
    const document = new Uint8Array([1, 2, 3]);
    const reports = [
      judgeHere(celSource(celRule("true")), { ...inputOf(null), document }),
      judgeHere(celSource(celRule("true")), inputOf({ resource_changes: "none" })),
      judgeHere(celSource(celRule("true")), inputOf({ resource_changes: [{ address: "t.a" }] })),
      judgeHere(celSource(celRule("true")), inputOf(planOf(change("t", "a", {}, { actions: ["explode"] })))),
    ];
    for (const report of reports) expect(report).toMatchObject([{ findings: [], errors: [{ kind: "SHAPE" }] }]);
  });
});

it("judges alike each time", () => {
  const plan = planOf(
    change("t", "a", { n: 1, tags: { b: 1, a: [1, 2.5, null] } }),
    change("t", "b", {}),
    change("u", "c", { n: 3 }),
  );
  const rules = [
    celRule("resource.after.n > 0", { message: "{{resource.after}} {{plan.format_version}}" }),
    celRule("resource.after.nope", { name: "failing" }),
    celRule("size(plan.resource_changes) > 1", { name: "plan", each: "PLAN", message: "{{run}}" }),
  ];
  const judgements = new Set(
    Array.from({ length: inject("soaks") ? 1000 : 100 }, () =>
      JSON.stringify(judgeHere(celSource(...rules), inputOf(plan))),
    ),
  );
  expect(judgements.size).toBe(1);
});

describe("the check of rules", () => {
  const problemsOf = (rule: Partial<CelRule>) => problemsHere(celSource(celRule("true", rule)));

  it("accepts what is right", () => {
    const when = "has(resource.after.a) && [1].exists(i, i > 0) && type(1) == int && strings.quote('a') != ''";
    expect(problemsOf({ when })).toEqual([]);
  });

  it("names the line and the column of a mistake", () => {
    const when = "resource.type == 'x' &&\n  resource.after.name.startWith('a')";
    expect(problemsOf({ when })).toEqual([
      { file: "rule.when", line: 2, column: 22, message: 'There is no function "startWith".' },
    ]);
    expect(problemsOf({ when: "resource.after\n  .foo +* 2" })).toMatchObject([
      { file: "rule.when", line: 2, column: 8 },
    ]);
    expect(problemsOf({ message: "A {{resource.name}}\nis {{ ressource.name }}" })).toMatchObject([
      { file: "rule.message", line: 2, column: 7, message: expect.stringContaining('no variable "ressource"') },
    ]);
  });

  it("refuses what the rule cannot read, and what nests too deep", () => {
    expect(problemsOf({ when: "resource.name == ''", each: "PLAN", message: "" })).toMatchObject([
      { message: expect.stringContaining('no variable "resource"') },
    ]);
    expect(problemsOf({ when: `${"(".repeat(10_000)}true${")".repeat(10_000)}` })).toMatchObject([
      { message: "The expression cannot be used: it nests too deep." },
    ]);
    expect(problemsOf({ point: "RUN_CREATE" })).toMatchObject([{ file: "rule.each" }]);
    expect(problemsOf({ types: [], actions: [] })).toMatchObject([{ file: "rule.types" }, { file: "rule.actions" }]);
    const twice = celSource(celRule("true"), celRule("false"));
    expect(problemsHere(twice)).toMatchObject([{ file: "rule.name" }]);
  });

  it("refuses a rule that was not checked when it is judged", () => {
    expect(judgeRule(celRule("nope("), planOf()).errors).toMatchObject([{ kind: "EXPRESSION" }]);
  });
});
