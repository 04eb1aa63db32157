import { PassThrough } from "node:stream";

import { describe, expect, test } from "vitest";

import { type DemoOptions, runDemo } from "../../src/cli/demo.ts";
import type { AskAtGate, GateAnswer } from "../../src/cli/gate-prompt.ts";
import { type GraphqlTestServer, startGraphqlTestServer, testToken } from "../client/graphql-test-server.ts";
import { FakeHoldpoint, type FakeOptions } from "./fake-holdpoint.ts";

const examplesDir = new URL("../../examples", import.meta.url).pathname;

interface Stage extends AsyncDisposable {
  readonly fake: FakeHoldpoint;
  readonly server: GraphqlTestServer;
  run(overrides?: Partial<DemoOptions>): Promise<{ code: number; text: string }>;
}

async function stage(options: FakeOptions = {}): Promise<Stage> {
  const fake = new FakeHoldpoint(options);
  const server = await startGraphqlTestServer(fake.fields);
  return {
    fake,
    server,
    async run(overrides = {}) {
      const output = new PassThrough();
      const chunks: string[] = [];
      output.on("data", (chunk) => chunks.push(String(chunk)));
      const code = await runDemo({
        yes: true,
        examplesDir,
        findEngine: async () => "terraform 1.11.4",
        findServer: async () => ({
          graphqlUrl: server.url,
          graphiqlUrl: "http://graphiql.example",
          token: testToken,
          tokenHint: "the data folder",
        }),
        startServer: () => Promise.reject(new Error("not asked for")),
        input: new PassThrough(),
        output,
        signal: new AbortController().signal,
        retry: { attempts: 2, baseMs: 5, maxMs: 10 },
        ...overrides,
      });
      return { code, text: chunks.join("") };
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const answers =
  (...list: GateAnswer[]): AskAtGate =>
  async () =>
    list.shift() ?? "leave";

describe("what is missing is reported before anything is created", () => {
  test("no engine", async () => {
    await using here = await stage();
    const { code, text } = await here.run({ findEngine: async () => undefined });
    expect(code).toBe(1);
    expect(text).toMatch(/Install Terraform .* or OpenTofu/u);
    expect(here.fake.created).toEqual([]);
  });

  test("no terminal and no --yes", async () => {
    await using here = await stage();
    const { code, text } = await here.run({ yes: false });
    expect(code).toBe(1);
    expect(text).toContain("--yes");
    expect(here.fake.created).toEqual([]);
  });
});

describe("a run", () => {
  test("with --yes goes through both gates to its outputs", async () => {
    await using here = await stage();
    const { code, text } = await here.run();
    expect(code).toBe(0);
    expect(here.fake.decisions).toEqual(["APPROVED PLAN", "APPROVED APPLY"]);
    expect(text).toContain("6 to add, 0 to change, 0 to destroy");
    expect(text.match(/will be created/gu)).toHaveLength(1);
    expect(text.match(/all instances answer/gu)).toHaveLength(1);
    expect(text).toMatch(/database_url = \(sensitive\)/u);
    expect(text).toContain("https://hello-dev.example.com");
    expect(text).toContain("http://graphiql.example");
    expect(text).not.toContain("\u001b");
  });

  test("shows the log before the question", async () => {
    await using here = await stage();
    const { text } = await here.run();
    expect(text.indexOf("Plan to create")).toBeLessThan(text.indexOf("Plan 1 of run 1"));
  });

  test("reports that nothing changes", async () => {
    await using here = await stage({ planning: "NO_CHANGES" });
    const { code, text } = await here.run();
    expect(code).toBe(0);
    expect(here.fake.decisions).toEqual([]);
    expect(text).toContain("No changes");
  });

  test("that fails shows summary and evidence", async () => {
    await using here = await stage({ planning: "FAILED" });
    const { code, text } = await here.run();
    expect(code).toBe(1);
    expect(text).toContain("PLAN_FAILED (PLAN, CONFIGURATION): The configuration does not parse");
    expect(text).toContain("on main.tf line 3");
    expect(text).toContain("Also failed:\n  terraform_data.b: Invalid function argument");
  });

  test.each([
    ["reject", "REJECTED"],
    ["discard", "DISCARDED"],
  ] as const)("can be ended by %s", async (answer, status) => {
    await using here = await stage();
    const { code, text } = await here.run({ yes: false, ask: answers(answer) });
    expect(code).toBe(1);
    expect(here.fake.decisions).toEqual([status]);
    expect(text).toContain(`has ended ${status}`);
  });

  test("can be left at its second gate", async () => {
    await using here = await stage();
    const { code, text } = await here.run({ yes: false, ask: answers("approve", "leave") });
    expect(code).toBe(1);
    expect(here.fake.status).toBe("AWAITING_APPLY_APPROVAL");
    expect(text).toContain("waits at its gate");
    expect(text).toContain("npm run demo");
  });

  test("whose gate is settled by another person continues", async () => {
    await using here = await stage();
    const ask: AskAtGate = ({ gate, signal }) => {
      if (gate === "APPLY") return Promise.resolve("approve");
      setImmediate(() => here.fake.move("AWAITING_APPLY_APPROVAL"));
      return new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve("leave"));
      });
    };
    const { code } = await here.run({ yes: false, ask });
    expect(code).toBe(0);
    expect(here.fake.decisions).toEqual(["APPROVED APPLY"]);
  });

  test("that changed while an approval was sent continues", async () => {
    const late: { fake?: FakeHoldpoint } = {};
    await using here = await stage({
      onApprove: (gate) => {
        if (gate !== "PLAN") return undefined;
        late.fake?.move("AWAITING_APPLY_APPROVAL");
        return {
          __typename: "RunStateConflictError",
          code: "RUN_STATE_CONFLICT",
          message: "It is the other gate's turn.",
          run: late.fake?.run(),
        };
      },
    });
    late.fake = here.fake;
    const { code, text } = await here.run();
    expect(text).toContain("It is the other gate's turn.");
    expect(code).toBe(0);
  });

  test("that this token may not approve shows the reason", async () => {
    await using here = await stage({ forbidden: ["APPROVE_PLAN"] });
    const { code, text } = await here.run();
    expect(code).toBe(1);
    expect(text).toContain("needs the role APPROVER");
  });
});

describe("the workspace", () => {
  test("of an earlier demo is used again", async () => {
    await using here = await stage({ taken: { hello: `${examplesDir}/hello` } });
    const { code, text } = await here.run();
    expect(code).toBe(0);
    expect(here.fake.created).toEqual([]);
    expect(text).toContain("exists already");
  });

  test("of another folder is left alone", async () => {
    await using here = await stage({ taken: { hello: "/srv/production", "hello-2": "/srv/other" } });
    const { code } = await here.run();
    expect(code).toBe(0);
    expect(here.fake.created).toEqual(["hello-3"]);
  });
});

describe("a connection", () => {
  test("dropped at a gate resumes, with every line once", async () => {
    await using here = await stage();
    const ask: AskAtGate = async () => {
      here.server.dropSockets();
      return "approve";
    };
    const { code, text } = await here.run({ yes: false, ask });
    expect(code).toBe(0);
    expect(text.match(/Plan to create/gu)).toHaveLength(1);
    expect(text.match(/all instances answer/gu)).toHaveLength(1);
    expect(text.match(/ AWAITING_APPLY_APPROVAL/gu)).toHaveLength(1);
  });

  test("whose cursor has expired starts over", async () => {
    let oldest = 0;
    await using here = await stage({ expireBefore: () => oldest });
    const ask: AskAtGate = async ({ gate }) => {
      if (gate === "PLAN") {
        oldest = 100;
        here.server.dropSockets();
      }
      return "approve";
    };
    const { code, text } = await here.run({ yes: false, ask });
    expect(code).toBe(0);
    expect(text.match(/all instances answer/gu)).toHaveLength(1);
  });

  test("to a server that is gone ends with a message", async () => {
    await using here = await stage();
    const ask: AskAtGate = async ({ signal }) => {
      await here.server.stop();
      return new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve("leave"));
      });
    };
    const { code, text } = await here.run({ yes: false, ask });
    expect(code).toBe(1);
    expect(text).toContain("does not answer any more");
  });
});

test("an interrupt of an unfinished run shows how to continue", async () => {
  await using here = await stage();
  const controller = new AbortController();
  const ask: AskAtGate = async ({ signal }) => {
    controller.abort();
    return signal.aborted ? "leave" : "approve";
  };
  const { code, text } = await here.run({ yes: false, ask, signal: controller.signal });
  expect(code).toBe(1);
  expect(here.fake.decisions).toEqual([]);
  expect(text).toContain("continues without this view");
});

test("a server of its own is stopped at the end", async () => {
  await using here = await stage();
  let stopped = 0;
  const { code, text } = await here.run({
    findServer: async () => undefined,
    startServer: async () => ({
      graphqlUrl: here.server.url,
      graphiqlUrl: "http://graphiql.example",
      token: testToken,
      tokenHint: "the data folder",
      [Symbol.asyncDispose]: async () => {
        stopped += 1;
      },
    }),
  });
  expect(code).toBe(0);
  expect(stopped).toBe(1);
  expect(text).toContain("npm start");
});
