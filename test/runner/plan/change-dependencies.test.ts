import { expect, test } from "vitest";
import { CHANGE_DEPENDENCIES } from "../../../src/model/plan/plan.ts";
import { Masker } from "../../../src/runner/mask/masker.ts";
import { dependenciesOf } from "../../../src/runner/plan/change-dependencies.ts";
import { describePlan } from "../../../src/runner/plan/plan-content.ts";
import { parsePlanJson } from "../../../src/runner/plan/plan-json.ts";

const refs = (...references: string[]) => ({ references });
const resource = (address: string, expressions: object = {}, more: object = {}) => {
  const [mode, type, name] = address.startsWith("data.")
    ? ["data", ...address.split(".").slice(1)]
    : ["managed", ...address.split(".")];
  return { address, mode, type, name, expressions, ...more };
};

/** Two calls of modules, one below the other. */
const ROOT = {
  resources: [
    resource("aws_vpc.main", { cidr_block: { constant_value: "10.0.0.0/8" } }),
    resource("data.aws_ami.linux", { owner: refs("var.owner") }),
    resource(
      "aws_instance.web",
      {
        ami: refs("data.aws_ami.linux.id", "data.aws_ami.linux"),
        subnet_id: refs("module.net.subnets[0].id", "module.net.subnets", "module.net"),
        tags: refs("local.tags", "path.module", "terraform.workspace", "each.key", "self.id", "aws_vpc.missing.id"),
        disk: [
          {
            kms: refs("aws_kms_key.disk[0].arn", "aws_kms_key.disk[0]", "aws_kms_key.disk"),
            references: refs("aws_eip.a"),
          },
        ],
        user_data: { constant_value: { references: ["aws_vpc.main"] } },
      },
      {
        for_each_expression: refs("aws_eip.a.tags", "aws_eip.a"),
        depends_on: ["aws_iam_role.web", "module.net"],
        provisioners: [{ type: "local-exec", expressions: { command: refs("aws_vpc.main.id", "aws_vpc.main") } }],
      },
    ),
    resource("aws_kms_key.disk", {}, { count_expression: refs("var.count") }),
    resource("aws_eip.a"),
    resource("aws_iam_role.web", { policy: refs("aws_iam_role.web.arn", "aws_iam_role.web") }),
  ],
  variables: { owner: { default: "aws_eip.a" } },
  module_calls: {
    net: {
      source: "./net",
      expressions: { vpc_id: refs("aws_vpc.main.id", "aws_vpc.main"), role: refs("aws_iam_role.web", "var.owner") },
      for_each_expression: refs("aws_eip.a"),
      module: {
        variables: { vpc_id: {}, role: {}, unset: { default: 1 } },
        resources: [
          resource("aws_subnet.a", { vpc_id: refs("var.vpc_id"), size: refs("var.unset", "var.constructor") }),
          resource("aws_vpc.main", { x: refs("aws_subnet.a.id", "aws_subnet.a") }),
        ],
        module_calls: {
          deep: {
            expressions: { both: refs("var.vpc_id", "aws_subnet.a"), role: refs("var.role") },
            module: {
              resources: [
                resource("aws_route.r", { all: refs("var.both", "var.role", "module.none.x", "module.none") }),
              ],
            },
          },
        },
      },
    },
  },
};
const of = (...addresses: string[]) => dependenciesOf({ root_module: ROOT }, addresses);

test("are what expressions, nested blocks, repetitions, provisioners and depends_on name", () => {
  expect(of("aws_instance.web", 'aws_instance.web["a.b[0]"]', "aws_vpc.main", "aws_kms_key.disk[3]")).toEqual([
    ["aws_eip.a", "aws_iam_role.web", "aws_kms_key.disk", "aws_vpc.main", "data.aws_ami.linux", "module.net"],
    ["aws_eip.a", "aws_iam_role.web", "aws_kms_key.disk", "aws_vpc.main", "data.aws_ami.linux", "module.net"],
    [],
    [],
  ]);
});

test("are those of the own module, and lead through its variables to the callers", () => {
  expect(
    of('module.net["eu.[1]"].aws_subnet.a', "module.net[0].aws_vpc.main", "module.net[0].module.deep.aws_route.r"),
  ).toEqual([
    ["aws_vpc.main"],
    ["module.net.aws_subnet.a"],
    ["aws_iam_role.web", "aws_vpc.main", "module.net.aws_subnet.a"],
  ]);
});

test("are none of itself, of variables of the root module, and of what the configuration does not have", () => {
  expect(of("aws_iam_role.web", "data.aws_ami.linux", "aws_gone.x", "module.gone.aws_vpc.main", "")).toEqual([
    [],
    [],
    [],
    [],
    [],
  ]);
});

test.each([
  undefined,
  null,
  [],
  "x",
  {},
  { root_module: 5 },
  { root_module: { resources: [5, null, {}], module_calls: [1] } },
])("are none where the configuration is %j", (configuration) => {
  expect(dependenciesOf(configuration, ["aws_vpc.main"])).toEqual([[]]);
});

test("are read where parts have other forms than an engine writes", () => {
  const odd = resource(
    "a.b",
    { x: [null, 5, { references: "a.c" }, refs("a.c")], y: { references: [1, null, "a.d"] } },
    { depends_on: "a.e" },
  );
  const resources = ["a.c", "a.d", "a.e"].map((address) => resource(address));
  expect(dependenciesOf({ root_module: { resources: [odd, ...resources] } }, ["a.b"])).toEqual([["a.c", "a.d"]]);
});

test("are bounded for each change, also through a variable", () => {
  const names = Array.from({ length: CHANGE_DEPENDENCIES + 20 }, (_, n) => `a.r${n}`);
  const root_module = {
    resources: [
      ...names.map((name) => resource(name, { x: refs(...names) })),
      resource("a.all", { x: refs(...names) }),
    ],
    module_calls: {
      m: { expressions: { v: refs(...names) }, module: { resources: [resource("a.in", { x: refs("var.v") })] } },
    },
  };
  const [all, first, inside] = dependenciesOf({ root_module }, ["a.all", "a.r0", "module.m.a.in"]);
  expect(all).toHaveLength(CHANGE_DEPENDENCIES);
  expect(first).toHaveLength(CHANGE_DEPENDENCIES);
  expect(first).not.toContain("a.r0");
  expect(inside).toHaveLength(CHANGE_DEPENDENCIES);
});

test("of 5,000 instances share one list, and are left out where all together are too long", () => {
  const long = Array.from({ length: CHANGE_DEPENDENCIES }, (_, n) => `a.${"r".repeat(200)}${n}`);
  const count = (expressions: object, length: number) => {
    const root_module = { resources: [...long.map((name) => resource(name)), resource("a.many", expressions)] };
    return dependenciesOf(
      { root_module },
      Array.from({ length }, (_, n) => `a.many[${n}]`),
    );
  };
  const few = count({ x: refs(long[0] ?? "", long[1] ?? "") }, 5000);
  expect(few).toHaveLength(5000);
  expect(new Set(few).size).toBe(1);
  expect(few[4999]).toEqual([long[0], long[1]]);
  expect(count({ x: refs(...long) }, 5000)).toEqual(Array(5000).fill([]));
});

test("are a part of a described change, and no secret masks them", () => {
  const masker = new Masker(6);
  masker.add(["main-secret"]);
  const root_module = {
    resources: [resource("aws_vpc.main-secret"), resource("a.b", { x: refs("aws_vpc.main-secret") })],
  };
  const text = JSON.stringify({
    format_version: "1.2",
    resource_changes: [{ address: "a.b", mode: "managed", type: "a", name: "b", change: { actions: ["create"] } }],
    configuration: { root_module },
  });
  expect(describePlan(parsePlanJson(text).plan, false, masker).resourceChanges).toMatchObject([
    { address: "a.b", dependsOn: ["aws_vpc.main-secret"] },
  ]);
});
