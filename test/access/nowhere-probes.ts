/**
 * A caller with a permission at no place is told that permission, and not that there is no such object: nothing is looked
 * up for it.
 */
import { mutations } from "../domain/operations.ts";
import { addPool } from "../support/fleet.ts";
import { COMMANDS, mutationOf } from "./command-oracle.ts";
import { type Probe, type WalkScene, withAbsentIds } from "./walk-scene.ts";

/**
 * Each caller has bulk operations of its own, and takes back its own requests for exceptions. A changeset names the
 * permissions of its runs.
 */
const OTHERS = ["stopBulkOperation", "revokePolicyException", "createChangeset"];

export async function nowhereProbes(walk: WalkScene): Promise<Probe[]> {
  const { scene, organizationId } = walk;
  const inputs = mutations(scene, organizationId, await addPool(scene.server, "nowhere"));
  const stranger = await walk.machine();
  return Object.entries(COMMANDS).flatMap(([line, { sight, more = {} }]): Probe[] => {
    const name = mutationOf(line);
    const make = inputs[name];
    if (sight === null || make === undefined || OTHERS.includes(name)) return [];
    return [
      {
        name: `${line} by a caller without rights`,
        async run() {
          const input = withAbsentIds({ ...(await make()), ...more });
          const answer = await walk.send(stranger, name, input);
          const isRefused = answer.code === "FORBIDDEN" && answer.permission === sight;
          return isRefused ? null : `${JSON.stringify(answer)} instead of FORBIDDEN ${sight}`;
        },
      },
    ];
  });
}
