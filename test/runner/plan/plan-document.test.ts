/** What a document shows of a plan: values that the engine or a person calls sensitive never. */
import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MASK } from "../../../src/runner/mask/masked-text.ts";
import { Masker } from "../../../src/runner/mask/masker.ts";
import { PlanDocument } from "../../../src/runner/plan/plan-document.ts";
import { addressesOf, parsePlanJson } from "../../../src/runner/plan/plan-json.ts";
import { sensitiveTexts } from "../../../src/runner/plan/plan-secrets.ts";
import type { Data } from "../../support/api.ts";
import { unpackDocument } from "../../support/plan-documents.ts";
import type { Json } from "../../../src/model/plan/json.ts";

const KEY = "key-of-the-run";
const digest = (text: string): string => `hp:${createHmac("sha256", KEY).update(text).digest("hex").slice(0, 16)}`;

interface Options {
  declared?: string[];
  secretVariables?: string[];
  mostBytes?: number;
  custom?: Record<string, Json>;
}

interface Document {
  plan: Data;
  custom: Data;
  truncated: string[];
}

/** The document of an engine's description, as the server gets it. */
async function documentOf(json: string | object, options: Options = {}): Promise<Document | null> {
  const { declared = [], secretVariables = [], mostBytes = 64 * 1024 * 1024, custom = {} } = options;
  const text = typeof json === "string" ? json : JSON.stringify({ format_version: "1.2", ...json });
  const { plan, whole } = parsePlanJson(text);
  const masker = new Masker(6);
  masker.add(declared);
  masker.addMarked(sensitiveTexts(plan));
  masker.addAddresses(addressesOf(plan));
  using document = await PlanDocument.begin(whole, { masker, key: KEY, depth: 200, mostBytes, secretVariables });
  if (document === null) return null;
  const { body, truncated } = await document.finish({ values: custom, lost: [] });
  return { ...unpackDocument(body), truncated };
}

async function planOf(json: string | object, options: Options = {}): Promise<Document["plan"]> {
  return (await documentOf(json, options))?.plan;
}

const resource = (change: object, address = "terraform_data.a"): object => {
  const [type, name] = address.split(".");
  return { address, mode: "managed", type, name, provider_name: "terraform.io/builtin/terraform", change };
};

describe("a sensitive value", () => {
  it("is a digest if it is a text, null if it is a number or a boolean, and keeps its marks", async () => {
    const after = { text: "s3cr", number: 12, flag: true, list: ["a", "b"], map: { k: "v" }, open: "shown" };
    const after_sensitive = { text: true, number: true, flag: true, list: [false, true], map: true };
    const plan = await planOf({
      resource_changes: [resource({ actions: ["create"], before: null, after, after_sensitive })],
    });
    expect(plan.resource_changes[0].change).toEqual({
      actions: ["create"],
      before: null,
      after: {
        text: digest("s3cr"),
        number: null,
        flag: null,
        list: ["a", digest("b")],
        map: { [digest("k")]: digest("v") },
        open: "shown",
      },
      after_sensitive,
    });
  });

  it("is one on both sides of a change, in the states, and where a constant of the configuration gives it", async () => {
    const values = { key: "12", other: "x" };
    const block = { pin: "34" };
    const plan = await planOf({
      resource_changes: [
        resource({
          actions: ["update"],
          before: values,
          after: { ...values, block: [block] },
          after_sensitive: { key: true, block: [{ pin: true }] },
        }),
      ],
      prior_state: {
        format_version: "1.0",
        values: { root_module: { resources: [{ ...resource({}), change: undefined, values, sensitive_values: {} }] } },
      },
      configuration: {
        root_module: {
          resources: [
            {
              address: "terraform_data.a",
              mode: "managed",
              type: "terraform_data",
              name: "a",
              expressions: {
                key: { constant_value: "12" },
                other: { constant_value: "x" },
                block: [{ pin: { constant_value: "34" } }],
              },
            },
          ],
        },
      },
    });
    const shown = { key: digest("12"), other: "x" };
    expect(plan.resource_changes[0].change.before).toEqual(shown);
    expect(plan.prior_state.values.root_module.resources[0].values).toEqual(shown);
    expect(plan.configuration.root_module.resources[0].expressions).toEqual({
      key: { constant_value: digest("12") },
      other: { constant_value: "x" },
      block: [{ pin: { constant_value: digest("34") } }],
    });
  });

  it("of a variable, an output, a module call, an action and a provider is one, however short it is", async () => {
    const plan = await planOf(
      {
        variables: { a: { value: "1" }, b: { value: "2" }, c: { value: "3" } },
        planned_values: { outputs: { o: { sensitive: true, type: "string", value: "4" } }, root_module: {} },
        output_changes: {
          o: { actions: ["create"], before: null, after: "4", after_sensitive: true, before_sensitive: true },
        },
        action_invocations: [
          {
            address: "action.t.x",
            type: "t",
            name: "x",
            config_values: { p: "5", q: "6" },
            config_sensitive: { p: true },
            lifecycle_action_trigger: { triggering_resource_address: "t.a", action_trigger_event: "AfterCreate" },
          },
        ],
        configuration: {
          provider_config: {
            p: { name: "p", expressions: { region: { constant_value: "r" }, api_key: { constant_value: "7" } } },
          },
          root_module: {
            variables: { a: { sensitive: true, default: "1" }, b: { default: "2" }, c: {} },
            outputs: {
              o: { sensitive: true, expression: { constant_value: "4" } },
              n: { expression: { constant_value: "4" } },
            },
            module_calls: {
              m: {
                source: "./m",
                expressions: { v: { constant_value: "8" }, w: { constant_value: "9" } },
                module: { variables: { v: { sensitive: true, default: "8" }, w: {} } },
              },
            },
          },
        },
      },
      { secretVariables: ["b"] },
    );
    expect(plan.variables).toEqual({ a: { value: digest("1") }, b: { value: digest("2") }, c: { value: "3" } });
    expect(plan.planned_values.outputs.o).toEqual({ sensitive: true, type: "string", value: digest("4") });
    expect(plan.output_changes.o).toMatchObject({ before: null, after: digest("4"), after_sensitive: true });
    expect(plan.action_invocations[0]).toMatchObject({
      config_values: { p: digest("5"), q: "6" },
      lifecycle_action_trigger: { triggering_resource_address: "t.a", action_trigger_event: "AfterCreate" },
    });
    const { provider_config, root_module } = plan.configuration;
    expect(provider_config.p.expressions).toEqual({
      region: { constant_value: "r" },
      api_key: { constant_value: digest("7") },
    });
    expect(root_module.variables).toEqual({
      a: { sensitive: true, default: digest("1") },
      b: { default: digest("2") },
      c: {},
    });
    expect(root_module.outputs).toEqual({
      o: { sensitive: true, expression: { constant_value: digest("4") } },
      n: { expression: { constant_value: "4" } },
    });
    expect(root_module.module_calls.m.expressions).toEqual({
      v: { constant_value: digest("8") },
      w: { constant_value: "9" },
    });
    expect(root_module.module_calls.m.module.variables.v).toEqual({ sensitive: true, default: digest("8") });
  });
});

describe("a declared secret", () => {
  const declared = ["canary-secret"];

  it("is masked within any text, and a digest where it is all of it, so that it can be compared", async () => {
    const after = {
      whole: "canary-secret",
      part: "x canary-secret y",
      number: 1,
      "canary-secret": 1,
      list: ["canary-secret"],
    };
    const { plan, custom } = (await documentOf(
      {
        resource_changes: [resource({ actions: ["create"], after, generated_config: 'a = "canary-secret"' })],
        checks: [
          {
            address: { kind: "check", to_display: "check.c" },
            status: "fail",
            instances: [{ problems: [{ message: "is canary-secret" }] }],
          },
        ],
        configuration: {
          root_module: {
            resources: [
              {
                address: "a.b",
                provisioners: [
                  { type: "local-exec", expressions: { command: { constant_value: "echo canary-secret" } } },
                ],
              },
            ],
          },
        },
        of_a_later_engine: { text: "canary-secret", before: { x: "s" }, before_sensitive: { x: true } },
      },
      { declared, custom: { scan: { found: ["at canary-secret"] } } },
    )) as Document;
    const { change } = plan.resource_changes[0];
    expect(change.after).toEqual({
      whole: digest("canary-secret"),
      part: `x ${MASK} y`,
      number: 1,
      [digest("canary-secret")]: 1,
      list: [digest("canary-secret")],
    });
    expect(change.generated_config).toBe(`a = "${MASK}"`);
    expect(plan.checks[0].instances[0].problems[0].message).toBe(`is ${MASK}`);
    expect(plan.of_a_later_engine).toEqual({
      text: digest("canary-secret"),
      before: { x: digest("s") },
      before_sensitive: { x: true },
    });
    expect(custom).toEqual({ scan: { found: [`at ${MASK}`] } });
    expect(JSON.stringify({ plan, custom })).not.toContain("canary");
  });

  it("changes no word of the engine and no address: a rule about deletions must not miss one", async () => {
    const secrets = ["delete", "create", "terraform_data", "module.net", "managed", "replace_because_tainted"];
    const change = {
      ...resource({ actions: ["delete", "create"], before: {}, after: {} }, "terraform_data.a"),
      address: "module.net.terraform_data.a",
      module_address: "module.net",
      action_reason: "replace_because_tainted",
    };
    const plan = await planOf(
      { resource_changes: [change], checks: [{ status: "unknown" }] },
      { declared: [...secrets, "unknown"] },
    );
    expect(plan.resource_changes).toEqual([change]);
    expect(plan.checks).toEqual([{ status: "unknown" }]);
  });
});

describe("odd values", () => {
  it("keep their digits, their keys and valid Unicode", async () => {
    const after = `{"n":9007199254740993,"d":0.1,"__proto__":{"polluted":true},"constructor":"c","half":"x\\ud83d","nul":"\\u0000"}`;
    const json = `{"format_version":"1.2","resource_changes":[{"address":"a.b","type":"a","name":"b","change":{"actions":["create"],"after":${after}}}]}`;
    const plan = await planOf(json);
    const shown = plan.resource_changes[0].change.after;
    expect(JSON.stringify(shown)).toBe(
      '{"n":"9007199254740993","d":0.1,"__proto__":{"polluted":true},"constructor":"c","half":"x\ufffd","nul":"\ufffd"}',
    );
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("of 1,000 levels are cut, and the cut is named", async () => {
    const deep = "[".repeat(1000) + "]".repeat(1000);
    const type = '["list",'.repeat(1000) + '"string"' + "]".repeat(1000);
    const change = `{"address":"a.b","type":"a","name":"b","change":{"actions":["create"],"after":{"v":${deep}}}}`;
    const outputs = `{"outputs":{"o":{"sensitive":false,"type":${type},"value":${deep}}}}`;
    const document = await documentOf(
      `{"format_version":"1.2","resource_changes":[${change}],"planned_values":${outputs}}`,
    );
    expect(document?.truncated).toEqual(["deep_values"]);
    const levels = JSON.stringify(document?.plan).match(/\[/g)?.length ?? 0;
    expect(levels).toBeGreaterThan(500);
    expect(levels).toBeLessThan(900);
  });
});

describe("a plan that is too large", () => {
  const text = "x".repeat(1000);
  const resources = [
    resource({ actions: ["no-op"], before: { text }, after: { text } }, "terraform_data.same"),
    resource({ actions: ["update"], before: { text: "1" }, after: { text: "2" } }, "terraform_data.changed"),
    { ...resource({ actions: ["no-op"] }, "terraform_data.moved"), previous_address: "terraform_data.old" },
    resource({ actions: ["no-op"], importing: { id: "i" } }, "terraform_data.imported"),
  ];
  const plan = {
    resource_changes: resources,
    prior_state: { values: { root_module: { resources: [{ address: "a", values: { text } }] } } },
    planned_values: { root_module: { resources: [{ address: "a", values: { text } }] } },
    resource_drift: [],
    configuration: { root_module: {} },
  };
  const size = (more: object): number =>
    JSON.stringify({ plan: { format_version: "1.2", ...plan, ...more }, custom: {} }).length;
  const changed = { resource_changes: resources.slice(1) };

  it.each([
    ["nothing", size({}), [], 4],
    ["resources that stay the same", size({}) - 100, ["no_op_resources"], 3],
    ["the state before", size(changed) - 100, ["no_op_resources", "prior_state"], 3],
    [
      "the state afterwards",
      size({ ...changed, prior_state: undefined }) - 100,
      ["no_op_resources", "prior_state", "planned_values"],
      3,
    ],
  ])("loses %s", async (_what, mostBytes, truncated, kept) => {
    const document = await documentOf(plan, { mostBytes });
    expect(document?.truncated).toEqual(truncated);
    expect(document?.plan.resource_changes).toHaveLength(kept);
    for (const name of ["prior_state", "planned_values"]) {
      expect(Object.hasOwn(document?.plan, name)).toBe(!truncated.includes(name));
    }
  });

  it("is none if its changes alone are", async () => {
    expect(await documentOf(plan, { mostBytes: 200 })).toBeNull();
  });
});

/** A value with marks on some of its parts; the marked texts are unlike all others. */
it("check blocks are in a document, with their messages masked", async () => {
  const check = (message: string): object => ({
    address: { kind: "check", name: "a", to_display: "check.a" },
    status: "fail",
    instances: [{ address: { to_display: "check.a" }, status: "fail", problems: [{ message }] }],
  });
  const { checks } = await planOf({ checks: [check("It is canary-value.")] }, { declared: ["canary-value"] });
  expect(checks).toEqual([check(`It is ${MASK}.`)]);
});

const marked: fc.Arbitrary<{ value: unknown; marks: unknown }> = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.integer({ min: 100, max: 999 }).map((value) => ({ value: `open-${value}`, marks: false })),
    fc.integer({ min: 100, max: 999 }).map((value) => ({ value: `secret-${value}`, marks: true })),
    fc.constantFrom(1, true, null).map((value) => ({ value, marks: false })),
    fc.array(tie("any") as fc.Arbitrary<{ value: unknown; marks: unknown }>, { maxLength: 3 }).map((items) => ({
      value: items.map(({ value }) => value),
      marks: items.map(({ marks }) => marks),
    })),
    fc
      .dictionary(
        fc.constantFrom("a", "value", "before", "__proto__", "sensitive"),
        tie("any") as fc.Arbitrary<{ value: unknown; marks: unknown }>,
      )
      .map((entries) => ({
        value: Object.fromEntries(Object.entries(entries).map(([key, { value }]) => [key, value])),
        marks: Object.fromEntries(Object.entries(entries).map(([key, { marks }]) => [key, marks])),
      })),
  ),
})).any as fc.Arbitrary<{ value: unknown; marks: unknown }>;

it("no marked text is in a document, and no other is missing", async () => {
  await fc.assert(
    fc.asyncProperty(fc.option(marked), marked, async (before, after) => {
      const change = {
        actions: ["update"],
        before: { v: before?.value },
        after: { v: after.value },
        before_sensitive: { v: before?.marks },
        after_sensitive: { v: after.marks },
      };
      const plan = await planOf({
        resource_changes: [resource(change)],
        planned_values: {
          root_module: {
            resources: [
              { address: "terraform_data.a", values: { v: after.value }, sensitive_values: { v: after.marks } },
            ],
          },
        },
      });
      const shown = JSON.stringify(plan);
      expect(shown).not.toContain("secret-");
      const open = JSON.stringify(plan.planned_values);
      // Where the two sides have other shapes, all of it is hidden.
      if (before !== null) return;
      for (const [text] of JSON.stringify(after.value).matchAll(/open-\d+/g)) expect(open).toContain(text);
    }),
    { numRuns: 200 },
  );
});
