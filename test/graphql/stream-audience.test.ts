/** For whom the rows of a stream are executed that is not shared, and how its caller's rights are renewed. */
import { describe, expect, it } from "vitest";
import type { GraphqlContext } from "../../src/graphql/kit/context.ts";
import { Loaders, loaderOf } from "../../src/graphql/kit/loader.ts";
import { audienceOf } from "../../src/graphql/stream/audience.ts";
import type { ActorCaller } from "../../src/model/people/permission.ts";
import { rightsOf } from "../../src/model/people/rights.ts";
import { createFakeDomain, fakeCaller } from "../support/fake-domain.ts";
import { createFakeTails, fakeCursorKey } from "../support/fake-tails.ts";
import { onWorkspace } from "../support/rights.ts";

const { domain } = createFakeDomain();
const at = (workspaceId: string) =>
  ({ permission: "RUN_READ", place: { organizationId: "org_1", projectId: null, workspaceId } }) as const;

function callerAt(version: number, ...workspaceIds: string[]): ActorCaller {
  const rights = rightsOf(workspaceIds.map((id) => onWorkspace("READER", id)));
  return { ...fakeCaller, rights, accessVersion: { version, moves: 1 } };
}

function contextOf(more: Partial<GraphqlContext> = {}): GraphqlContext {
  const caller = callerAt(5, "ws_1");
  return {
    caller,
    domain,
    tails: createFakeTails().tails,
    epoch: "",
    cursorKeyOf: fakeCursorKey,
    loaders: new Loaders(domain, caller),
    ...more,
  };
}

describe("a stream of one caller", () => {
  it("is executed for that one, where it may see the row, or the row shows nothing", () => {
    const context = contextOf();
    const audience = audienceOf(context);
    expect(audience.of(at("ws_1"))).toEqual([context.caller]);
    expect(audience.of(at("ws_2"))).toEqual([]);
    expect(audience.of(null)).toEqual([context.caller]);
  });

  it("loads again before each item, and as the caller that is entered", async () => {
    const asked: [string, readonly string[]][] = [];
    const loader = loaderOf<string>(async (_domain, { credentialId }, ids) => {
      asked.push([credentialId, ids]);
      return [...ids];
    });
    const context = contextOf();
    const { enter } = audienceOf(context);
    const load = () => context.loaders.load(loader, "a");
    await load();
    await load();
    enter(context.caller);
    await load();
    expect(asked).toHaveLength(2);
    const other = { ...fakeCaller, credentialId: "other" };
    enter(other);
    expect(context.caller).toBe(other);
    await load();
    expect(asked.map(([credentialId]) => credentialId)).toEqual([
      fakeCaller.credentialId,
      fakeCaller.credentialId,
      "other",
    ]);
  });

  it("is admitted to pages of its version and older ones, and to all where its rights do not change", async () => {
    const renewCaller = () => expect.fail("It was checked already.");
    const audience = audienceOf(contextOf({ renewCaller }));
    expect(await audience.admit(4)).toBe(true);
    expect(await audience.admit(5)).toBe(true);
    expect(await audienceOf(contextOf()).admit(6)).toBe(true);
  });

  it("is checked before a newer page, and has the rights of then", async () => {
    const now = callerAt(6, "ws_1", "ws_2");
    const asked: ActorCaller[] = [];
    const context = contextOf({
      renewCaller: async (before) => {
        asked.push(before);
        return now;
      },
    });
    const before = context.caller;
    const audience = audienceOf(context);
    expect(await audience.admit(6)).toBe(true);
    expect(await audience.admit(6)).toBe(true);
    expect(asked).toEqual([before]);
    expect(audience.of(at("ws_2"))).toEqual([now]);
  });

  it("ends before a newer page, where it has lost something", async () => {
    const context = contextOf({ renewCaller: async () => null });
    const before = context.caller;
    expect(await audienceOf(context).admit(6)).toBe(false);
    expect(context.caller).toBe(before);
  });
});

it("a shared stream is executed for those that its readers are, and admitted as they are", async () => {
  const calls: unknown[] = [];
  const context = contextOf({
    streamPosition: {
      start: null,
      current: null,
      onIdle: () => undefined,
      place: null,
      audience: (access) => {
        calls.push(access);
        return [fakeCaller];
      },
      admit: async (version) => {
        calls.push(version);
        return false;
      },
    },
  });
  const audience = audienceOf(context);
  expect(audience.of(at("ws_2"))).toEqual([fakeCaller]);
  expect(await audience.admit(9)).toBe(false);
  expect(calls).toEqual([at("ws_2"), 9]);
});
