/** The order and the kinds of refusals of commands, about a subject that the test makes up. */
import { describe, expect, it } from "vitest";
import {
  authorize,
  authorizeUnseen,
  command,
  commandInSteps,
  type CommandSpec,
  ON_INSTALLATION,
  requireSomewhere,
  type Sees,
} from "../../../src/domain/access/command.ts";
import { isPresent } from "../../../src/domain/access/presence.ts";
import type { Deps } from "../../../src/domain/kit/deps.ts";
import { UserError } from "../../../src/model/kit/user-error.ts";
import type { ActorCaller } from "../../../src/model/people/permission.ts";
import { type Permission, permissionSet } from "../../../src/model/people/permission-set.ts";
import { INSTALLATION, organizationPlace, type Place, workspacePlace } from "../../../src/model/people/place.ts";
import { rightsOf } from "../../../src/model/people/rights.ts";
import { forbiddenReason } from "../../../src/model/people/role.ts";
import type { Reader, Transaction } from "../../../src/persistence/database/database.ts";
import { fakeCaller } from "../../support/fake-domain.ts";
import { recordedDatabase } from "../../support/recorded-database.ts";

const AT = "2026-01-02T03:04:05.678Z";
const HERE = workspacePlace({ id: "ws_1", organizationId: "org_1", projectId: "prj_1" });
const ELSEWHERE = workspacePlace({ id: "ws_2", organizationId: "org_2", projectId: "prj_2" });

interface Thing {
  id: string;
  place: Place;
}
const THING: Thing = { id: "ws_1", place: HERE };

/** A caller with these permissions at the workspace, and nowhere else. */
function callerWith(...permissions: Permission[]): ActorCaller {
  const scope = { type: "workspace", organizationId: "org_1", projectId: "prj_1", workspaceId: "ws_1" } as const;
  return { ...fakeCaller, rights: rightsOf([{ permissions: permissionSet(permissions), scope }]) };
}
const LOCKER = callerWith("WORKSPACE_READ", "WORKSPACE_LOCK");
const READER = callerWith("WORKSPACE_READ");
const ELSEWHERE_ONLY: ActorCaller = {
  ...fakeCaller,
  rights: rightsOf([
    {
      permissions: permissionSet(["WORKSPACE_READ", "WORKSPACE_LOCK"]),
      scope: { type: "organization", organizationId: "org_2" },
    },
  ]),
};

const spec = (change: Partial<CommandSpec<Reader, Thing>> = {}): CommandSpec<Reader, Thing> => ({
  permission: "WORKSPACE_LOCK",
  words: "locking workspaces",
  name: "lockWorkspace",
  subjectId: "ws_1",
  noun: "workspace",
  find: async () => THING,
  placeOf: ({ place }) => place,
  sight: "WORKSPACE_READ",
  ...change,
});

function open(publicUrl: string | null = "https://holdpoint.example.com") {
  const recorded = recordedDatabase((sql) => (sql.includes("passkey") ? [{ method: "PASSKEY" }] : []));
  const reported: unknown[] = [];
  const deps = {
    database: recorded.database,
    clock: () => new Date(AT),
    publicUrl,
    reportError: (error: unknown, doing: string) => void reported.push(error, doing),
  } as unknown as Deps;
  /** The parameters of the refusal that was recorded; `null` if none was. */
  const rejection = () => recorded.statements.find(({ sql }) => sql.includes("rejected_command"))?.parameters ?? null;
  return { ...recorded, deps, rejection, reported };
}

/** Runs a command both in one transaction and in steps, which decide alike. */
async function run(caller: ActorCaller, change: Partial<CommandSpec<Reader, Thing>> = {}) {
  const outcomes = [];
  for (const inSteps of [false, true]) {
    const world = open();
    const done: string[] = [];
    const work = async (thing: Thing) => {
      done.push(thing.id);
      return "done";
    };
    const outcome = inSteps
      ? commandInSteps(world.deps, caller, spec(change), async (thing, input) => {
          input.done();
          return work(thing);
        })
      : command(world.deps, caller, spec(change) as CommandSpec<Transaction, Thing>, (_tx, thing) => work(thing));
    const error = await outcome.then(
      () => null,
      (reason: unknown) => reason as UserError,
    );
    if (!inSteps) expect(world.ends).toEqual([error === null ? "COMMIT" : "ROLLBACK"]);
    else expect(world.ends).toEqual([]);
    expect(done).toEqual(error === null ? ["ws_1"] : []);
    expect(world.rejection() === null).toBe(error === null);
    expect(world.reported).toEqual([]);
    outcomes.push({ error, rejection: world.rejection() });
  }
  const [one, two] = outcomes;
  expect(two).toEqual(one);
  return { code: one?.error?.code ?? null, error: one?.error, rejection: one?.rejection };
}

describe("a command", () => {
  it("runs for a caller with the permission at the place of its subject", async () => {
    expect((await run(LOCKER)).code).toBeNull();
  });

  it("refuses a caller without the permission anywhere before it looks for the subject", async () => {
    const find = () => expect.fail("There is nothing to look up.");
    const { code, error, rejection } = await run(callerWith("RUN_READ"), { find });
    expect(code).toBe("FORBIDDEN");
    expect(error?.message).toBe(
      "Your rights do not allow locking workspaces here. It needs the permission WORKSPACE_READ, as in the role READER.",
    );
    expect(error?.details).toEqual({ permission: "WORKSPACE_READ", scopeId: null });
    expect(rejection).toEqual(
      [AT, fakeCaller.actor.id, fakeCaller.credentialId, "lockWorkspace", "ws_1"].concat(
        // No subject was found.
        [null, null, null] as never[],
        ["FORBIDDEN", error?.message ?? ""],
      ),
    );
  });

  it.each([
    ["does not exist", async () => null],
    ["is hidden", async () => ({ ...THING, place: ELSEWHERE })],
  ])("gives the same answer about a subject that %s", async (_case, find) => {
    const { code, error } = await run(LOCKER, { find });
    expect([code, error?.message]).toEqual(["NOT_FOUND", "The workspace does not exist, or you may not read it."]);
  });

  it("refuses who may see the subject and lacks the permission, with the permission and the place", async () => {
    const { code, error, rejection } = await run(READER);
    expect(code).toBe("FORBIDDEN");
    expect(error?.details).toEqual({ permission: "WORKSPACE_LOCK", scopeId: "ws_1" });
    expect(rejection?.slice(4, 9)).toEqual(["ws_1", "org_1", "ws_1", "WORKSPACE_READ", "FORBIDDEN"]);
  });

  it("asks for a permission that depends on its subject", async () => {
    const permission = ({ id }: Thing): Permission => (id === "ws_1" ? "WORKSPACE_UPDATE" : "WORKSPACE_LOCK");
    expect((await run(LOCKER, { permission })).error?.details.permission).toBe("WORKSPACE_UPDATE");
    expect((await run(callerWith("WORKSPACE_READ", "WORKSPACE_UPDATE"), { permission })).code).toBeNull();
  });

  it("asks for each further permission that its input needs", async () => {
    const demands = [{ permission: "HOOK_WRITE", words: "setting hooks" }] as const;
    const { error } = await run(LOCKER, { demands });
    expect(error?.message).toContain("do not allow setting hooks here. It needs the permission HOOK_WRITE");
    expect((await run(callerWith("WORKSPACE_READ", "WORKSPACE_LOCK", "HOOK_WRITE"), { demands })).code).toBeNull();
  });

  it("records the place that was found on the way to a hidden subject", async () => {
    const find = async (_source: Reader, sees: Sees) => (sees(ELSEWHERE) ? THING : null);
    const { code, rejection } = await run(LOCKER, { find });
    expect(code).toBe("NOT_FOUND");
    expect(rejection?.slice(4, 8)).toEqual(["ws_1", "org_2", "ws_2", "WORKSPACE_READ"]);
    const seen = async (_source: Reader, sees: Sees) => (sees(HERE) ? THING : null);
    expect((await run(LOCKER, { find: seen })).code).toBeNull();
  });

  it("records the subject by the id that was found, if the caller named it by something else", async () => {
    const { rejection } = await run(READER, { subjectId: null, idOf: ({ id }) => id });
    expect(rejection?.[4]).toBe("ws_1");
    expect((await run(READER, { subjectId: null })).rejection?.[4]).toBeNull();
  });

  it("refuses input after the rights, with all issues, and does nothing", async () => {
    const check: CommandSpec<Reader, Thing>["check"] = (input, { id }) => {
      input.refuse("name", `must not be ${id}.`);
      input.refuse("comment", "is missing.");
    };
    const { code, error } = await run(LOCKER, { check });
    expect([code, error?.message]).toEqual(["INVALID_INPUT", "name: must not be ws_1. comment: is missing."]);
    expect((await run(READER, { check })).code).toBe("FORBIDDEN");
  });

  it("does not record what is no refusal", async () => {
    const { deps, rejection, ends } = open();
    const broken = new Error("It is broken.");
    const find = async () => {
      throw broken;
    };
    await expect(command(deps, LOCKER, spec({ find }), async () => "done")).rejects.toBe(broken);
    expect([rejection(), ends]).toEqual([null, ["ROLLBACK"]]);
  });
});

describe("a command about what is the caller's own", () => {
  const nobody = callerWith();

  it("takes no permission", async () => {
    expect((await run(nobody, { isOwn: () => true })).code).toBeNull();
  });

  it("is like any other where the subject is another's", async () => {
    expect((await run(nobody, { isOwn: () => false })).code).toBe("NOT_FOUND");
    expect((await run(nobody, { isOwn: () => true, find: async () => null })).code).toBe("NOT_FOUND");
    expect((await run(READER, { isOwn: () => false })).code).toBe("FORBIDDEN");
  });

  it("looks for the subject of a caller without rights", async () => {
    const { rejection } = await run(nobody, { isOwn: () => false });
    expect(rejection?.slice(5, 7)).toEqual(["org_1", "ws_1"]);
  });
});

describe("a command about the installation", () => {
  const onInstallation = {
    ...ON_INSTALLATION,
    subjectId: null,
    permission: "TOKEN_WRITE",
  } as const;
  const change = onInstallation as unknown as Partial<CommandSpec<Reader, Thing>>;
  const runOn = (caller: ActorCaller) => {
    const world = open();
    return command(world.deps, caller, spec(change), async () => "done");
  };

  it("is forbidden, and not hidden", async () => {
    const someone = callerWith("FIGURES_READ");
    const error = await runOn(someone).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "FORBIDDEN", details: { permission: "TOKEN_WRITE", scopeId: null } });
  });

  it("runs for who may", async () => {
    expect(await runOn(fakeCaller)).toBe("done");
    expect(await ON_INSTALLATION.find()).toBe(INSTALLATION);
    expect(ON_INSTALLATION.placeOf()).toBe(INSTALLATION);
  });
});

describe("a command that takes a person who is present", () => {
  const session = (caller: ActorCaller, ageMs?: number): ActorCaller => {
    const presentAt = ageMs === undefined ? {} : { presentAt: new Date(Date.parse(AT) - ageMs).toISOString() };
    return { ...caller, credential: "SESSION", ...presentAt };
  };
  const LONGEST = 10 * 60_000;

  it.each([
    ["ALWAYS", true, "REAUTHENTICATION_REQUIRED"],
    ["ALWAYS", false, "REAUTHENTICATION_REQUIRED"],
    ["FOR_OTHERS", true, null],
    ["FOR_OTHERS", false, "REAUTHENTICATION_REQUIRED"],
    [undefined, true, null],
    [undefined, false, null],
  ] as const)(
    "%s, for what is its own (%s), answers a session that is not present with %s",
    async (presence, own, code) => {
      for (const needs of [presence, () => presence]) {
        expect((await run(session(LOCKER), { presence: needs, isOwn: () => own })).code).toBe(code);
      }
      expect((await run(session(LOCKER, 0), { presence, isOwn: () => own })).code).toBeNull();
      expect((await run(LOCKER, { presence, isOwn: () => own })).code).toBeNull();
    },
  );

  it("takes a proof of the last minutes", async () => {
    expect((await run(session(LOCKER, LONGEST), { presence: "ALWAYS" })).code).toBeNull();
    const { error } = await run(session(LOCKER, LONGEST + 1), { presence: "ALWAYS" });
    expect(error?.message).toBe(
      "This takes a sign-in of the last 10 minutes. Sign in again at https://holdpoint.example.com/auth/login?fresh=1, then repeat it.",
    );
    expect(error?.details).toEqual({
      reauthentication: { url: "https://holdpoint.example.com/auth/login?fresh=1", methods: ["PASSKEY"] },
    });
  });

  it("names no page where the address of the server is not known", async () => {
    const { deps } = open(null);
    const denied = command(deps, session(LOCKER), spec({ presence: "ALWAYS" }), async () => "done");
    await expect(denied).rejects.toMatchObject({
      message: "This takes a sign-in of the last 10 minutes. Sign in again, then repeat it.",
      details: { reauthentication: { url: null } },
    });
  });

  it("asks for the token again where one opened the session", async () => {
    const opened = (ageMs: number): ActorCaller => {
      const shownAt = new Date(Date.parse(AT) - ageMs).toISOString();
      return { ...session(LOCKER), openedBy: { id: "tok_1", shownAt, expiresAt: null } };
    };
    expect((await run(opened(LONGEST), { presence: "ALWAYS" })).code).toBeNull();
    const { error } = await run(opened(LONGEST + 1), { presence: "ALWAYS" });
    expect(error?.details).toEqual({
      reauthentication: { url: "https://holdpoint.example.com/login?fresh=1", methods: ["TOKEN"] },
    });
  });

  it("is asked only of who has the permission", async () => {
    expect((await run(session(READER), { presence: "ALWAYS" })).code).toBe("FORBIDDEN");
  });
});

it.each([
  ["TOKEN", AT, false],
  ["RUN", AT, false],
  ["SESSION", AT, true],
  ["SESSION", undefined, false],
] as const)("the person of a %s that was present at %s is present: %s", (credential, presentAt, expected) => {
  const { rights: _, ...caller } = fakeCaller;
  const proof = presentAt === undefined ? {} : { presentAt };
  expect(isPresent({ ...caller, credential, ...proof }, new Date(AT))).toBe(expected);
});

describe("the record of a refusal", () => {
  it("is cut to what the database keeps, and has no character that it refuses", async () => {
    const { deps, rejection } = open();
    const subjectId = `\0${"x".repeat(200)}`;
    const message = `\0${"m".repeat(3000)}`;
    const find = async () => {
      throw new UserError("NAME_TAKEN", message);
    };
    await expect(command(deps, LOCKER, spec({ subjectId, find }), async () => "done")).rejects.toThrow(message);
    expect(rejection()?.[4]).toBe("x".repeat(99));
    expect(rejection()?.[9]).toBe("m".repeat(1999));
  });

  it("that fails is reported, and the refusal stays", async () => {
    const { deps, reported } = open();
    const broken = new Error("The disk is full.");
    const { database } = recordedDatabase(() => {
      throw broken;
    });
    const refused = command({ ...deps, database }, READER, spec(), async () => "done");
    await expect(refused).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(reported).toEqual([broken, "recording a rejected command"]);
  });
});

describe("a permission", () => {
  const demand = { permission: "RUN_READ", words: "reading runs" } as const;
  const denied = (place: Place) => {
    try {
      authorize(callerWith(), demand, place);
    } catch (error) {
      return (error as UserError).details;
    }
    return null;
  };

  it("that is missing is named with the narrowest part of the place", () => {
    expect(denied(HERE)).toEqual({ permission: "RUN_READ", scopeId: "ws_1" });
    expect(denied({ ...HERE, workspaceId: null })).toEqual({ permission: "RUN_READ", scopeId: "prj_1" });
    expect(denied(organizationPlace({ id: "org_1" }))).toEqual({ permission: "RUN_READ", scopeId: "org_1" });
    expect(denied(INSTALLATION)).toEqual({ permission: "RUN_READ", scopeId: null });
  });

  it("somewhere is enough where there is no place yet", () => {
    expect(() => requireSomewhere(callerWith("RUN_READ"), demand)).not.toThrow();
    expect(() => requireSomewhere(ELSEWHERE_ONLY, demand)).toThrow("It needs the permission RUN_READ");
    expect(() => authorize(callerWith("RUN_READ"), demand, HERE)).not.toThrow();
  });
});

it("a refusal names the remedy, if there is one", async () => {
  const { error } = await run(READER, { remedy: "Ask an administrator." });
  expect(error?.message).toBe(`${forbiddenReason("locking workspaces", "WORKSPACE_LOCK")} Ask an administrator.`);
});

describe("what the caller may not see by another permission", () => {
  const demand = { permission: "WORKSPACE_LOCK", words: "locking workspaces" } as const;
  const refused = (caller: ActorCaller): unknown => {
    try {
      authorizeUnseen(caller, demand, HERE, "WORKSPACE_READ");
      return null;
    } catch (error) {
      return error;
    }
  };

  it("is allowed with the permission", () => {
    expect(refused(callerWith("WORKSPACE_LOCK"))).toBeNull();
  });

  it("is refused at its place to a caller who sees it, and at the organization to others", () => {
    expect(refused(READER)).toMatchObject({ code: "FORBIDDEN", details: { scopeId: "ws_1" } });
    expect(refused(callerWith())).toMatchObject({ code: "FORBIDDEN", details: { scopeId: "org_1" } });
  });
});
