/** Each mutation by callers who lack one permission, who have no more than it takes, and to whom its subject is hidden. */
import { randomUUID } from "node:crypto";
import { CompiledQuery } from "kysely";
import { type Permission, PERMISSIONS } from "../../src/model/people/permission-set.ts";
import { mutations } from "../domain/operations.ts";
import type { Api, Data } from "../support/api.ts";
import { addPool } from "../support/fleet.ts";
import { COMMANDS, type CommandLine, mutationOf } from "./command-oracle.ts";
import { closureOf } from "./principals.ts";
import { type Probe, type WalkScene, withAbsentIds, withoutIds } from "./walk-scene.ts";

/** Written about refused commands, and about the use of credentials. */
const NOT_COMPARED = ["rejected_command", "kysely_migration", "kysely_migration_lock"];

export interface CommandProbes {
  probes: Probe[];
  /** The names of the mutations that have an example. */
  examples: string[];
}

export async function commandProbes(walk: WalkScene): Promise<CommandProbes> {
  const { scene, organizationId } = walk;
  const pool = await addPool(scene.server, "walked");
  const inputs = mutations(scene, organizationId, pool);
  const other = await walk.make("createOrganization", { slug: `o-${randomUUID().slice(0, 8)}`, name: "Other" }, ORG);
  const elsewhere = await walk.machine("ADMIN", other.organization.id, other.organization.id);
  const contentOf = await createContentOf(walk);

  async function inputOf(line: string, more: object): Promise<object> {
    const make = inputs[mutationOf(line)];
    if (make === undefined) throw new Error(`${line} has no example.`);
    const input = { ...(await make()), ...more };
    // An example may be made twice.
    return "name" in input && !line.startsWith("update") ? { ...input, name: `n-${randomUUID()}` } : input;
  }

  /** Sends a command that must be refused, and must change nothing. */
  async function refused(api: Api, name: string, input: object, wanted: object): Promise<string | null> {
    const before = await contentOf();
    const answer = await walk.send(api, name, input);
    const differs = Object.entries(wanted).some(([key, value]) => answer[key] !== value);
    if (differs) return `${JSON.stringify(answer)} instead of ${JSON.stringify(wanted)}`;
    const changed = differenceOf(before, await contentOf());
    return changed.length === 0 ? null : `changed ${changed.join(", ")}`;
  }

  const probesOf = ([line, { sight, needs, gives = [], more = {}, comesTo }]: [string, CommandLine]) => {
    const name = mutationOf(line);
    const success = `${name.charAt(0).toUpperCase()}${name.slice(1)}Success`;
    const all = [...needs, ...gives, ...(sight === null ? [] : [sight])];
    const probes: Probe[] = [
      ...needs.map((permission) => ({
        name: `${line} without ${permission}`,
        run: async () => {
          const api = await walk.having(allBut(permission));
          return refused(api, name, await inputOf(line, more), { code: "FORBIDDEN", permission });
        },
      })),
      {
        name: `${line} with what it takes`,
        async run() {
          const api = await walk.having(all);
          const answer = await walk.send(api, name, await inputOf(line, more));
          return answer.__typename === (comesTo ?? success) ? null : JSON.stringify(answer);
        },
      },
    ];
    if (sight === null) return probes;
    return [
      ...probes,
      // Any right in an organization shows the organization.
      ...(sight === "ORGANIZATION_READ"
        ? []
        : [
            {
              name: `${line} without the sight of its subject`,
              run: async () => refused(await walk.having(allBut(sight)), name, await inputOf(line, more), {}),
            },
          ]),
      {
        name: `${line} of a hidden subject`,
        run: async () => {
          const input = await inputOf(line, more);
          const absent = withAbsentIds(name === "createWorkspace" ? { ...input, organization: "absent" } : input);
          const answers: Data[] = [];
          const ask = (which: object) => async () => answers.push(await walk.send(elsewhere, name, which));
          const different = await refused(elsewhere, name, input, { code: "NOT_FOUND" });
          if (different !== null) return different;
          const traces = [await walk.traceOf(ask(input)), await walk.traceOf(ask(absent))];
          const [first, second] = answers.map((answer) => withoutIds(JSON.stringify(answer)));
          if (first !== second) return `${first} is told apart from ${second}`;
          const [one = [], two = []] = traces;
          return one.join("\n") === two.join("\n") ? null : `its statements:\n${diffOf(one, two)}`;
        },
      },
    ];
  };
  return { probes: Object.entries(COMMANDS).flatMap(probesOf), examples: Object.keys(inputs) };
}

const ORG = "organization { id }";

/** All permissions but one, and those that are of no use without it: a token would include it with them. */
function allBut(permission: Permission): Permission[] {
  return PERMISSIONS.filter((one) => !closureOf([one]).includes(permission));
}

function diffOf(one: string[], other: string[]): string {
  const short = (texts: string[]) => texts.map((text) => text.replaceAll(/\s+/g, " ").slice(0, 90)).join("\n  ");
  return `hidden:\n  ${short(one)}\nabsent:\n  ${short(other)}`;
}

type Content = ReadonlyMap<string, string>;

/** The content of all tables, as a number for each. */
async function createContentOf({ scene }: WalkScene): Promise<() => Promise<Content>> {
  const tables = await scene.rows(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and not relispartition order by 1`,
  );
  const texts = tables
    .map(({ name }) => String(name))
    .filter((name) => !NOT_COMPARED.includes(name))
    .map(
      (name) =>
        `select '${name}' as name, coalesce(sum(hashtextextended(t::text, 0)), 0)::text as sum from "${name}" t`,
    );
  const content = CompiledQuery.raw(texts.join(" union all "));
  return () =>
    scene.server.deps.database.sql.transaction().execute(async (tx) => {
      // By their estimated sizes the tables would be shared among processes, which takes ten times as long.
      await tx.executeQuery(CompiledQuery.raw("set local max_parallel_workers_per_gather = 0"));
      const { rows } = await tx.executeQuery<{ name: string; sum: string }>(content);
      return new Map(rows.map(({ name, sum }) => [name, sum]));
    });
}

const differenceOf = (before: Content, after: Content): string[] =>
  [...after].flatMap(([name, sum]) => (before.get(name) === sum ? [] : [name]));
