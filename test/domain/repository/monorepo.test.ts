/** Pushes to a repository of many workspaces and modules, whose links between them are known by construction. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { changesetRound } from "../../../src/domain/changeset/changeset-round.ts";
import { createLooks } from "../../../src/domain/repository/looks.ts";
import { createMonorepo } from "../../support/monorepo.ts";
import { createRandom } from "../../support/random.ts";
import { createHost, createRepository, decideAll, followFolder } from "../../support/repository-steps.ts";
import { openScene } from "../scene.ts";

it("start runs in exactly the workspaces that read what changed", async () => {
  await using scene = await openScene(1000, { standing: true });
  const { deps, sourceRoot } = scene.server;
  const looks = createLooks(deps);
  const settle = async (): Promise<void> => {
    scene.server.advance(66_000);
    await looks.begin((error) => {
      throw error;
    });
    await looks.idle();
    await decideAll(deps);
    await changesetRound(deps, new AbortController().signal);
  };
  const monorepo = createMonorepo(join(sourceRoot, "mono"), { workspaces: 16, modules: 16, others: 100, seed: 7 });
  const { gitHost } = await createHost(scene.api, { kind: "GIT", url: `file://${sourceRoot}` });
  const { id } = await createRepository(scene.api, gitHost.id, "mono");
  for (const path of monorepo.workspaces) await followFolder(scene.api, id, path);
  await settle();
  const random = createRandom(11);
  const [workspace = ""] = monorepo.workspaces;
  const module = (): string => random.pick(monorepo.modules) ?? "";
  const [one, other] = [module(), module()];
  const pushes: [string[], readonly string[]][] = [
    [[`${one}/main.tf`], monorepo.readersOf(one)],
    [[`${other}/text.tpl`], monorepo.readersOf(other)],
    [[`${one}/README.md`, "apps/0/file-1.ts", `${workspace}/README.md`], []],
    [[monorepo.linked.path], monorepo.linked.readers],
    [[`${workspace}/outputs.tf`], [workspace]],
    [[`${monorepo.shared}/variables.tf`], monorepo.workspaces],
    [
      [`${one}/main.tf`, `${other}/outputs.tf`],
      [...monorepo.readersOf(one), ...monorepo.readersOf(other)],
    ],
  ];
  for (const [index, [paths, readers]] of pushes.entries()) {
    const text = (path: string): string => `${monorepo.git("show", `main:${path}`)}\n# ${index}\n`;
    const after = monorepo.push(Object.fromEntries(paths.map((path) => [path, text(path)])));
    await settle();
    const runs = await scene.rows(
      `select w.source ->> 'path' as path from run r join workspace w on w.id = r.workspace_id
        where r.revision = $1 order by path`,
      after,
    );
    expect([paths, runs.map(({ path }) => path)]).toEqual([paths, [...new Set(readers)].toSorted()]);
  }
  expect(pushes.map(([, readers]) => readers.length).some((length) => length > 1 && length < 16)).toBe(true);
  expect(scene.server.reported).toEqual([]);
  await looks[Symbol.asyncDispose]();
});
