/** Progress of the engine, from its `-json` events and the plan; never from its text. */
import { isRecord } from "../../model/kit/is-record.ts";
import type { ProgressAction, ResourceInProgress, ResourceProgress } from "../../model/run/run-progress.ts";
import type { EngineEvent } from "../engine/engine-event.ts";
import type { PlanJson } from "../plan/plan-json.ts";

const ACTIONS: Readonly<Record<string, ProgressAction>> = {
  read: "READ",
  create: "CREATE",
  update: "UPDATE",
  delete: "DELETE",
};

/** Counts the operations of an apply on each resource: two for a replacement. */
export function plannedOperations(plan: PlanJson): Map<string, number> {
  const operations = new Map<string, number>();
  for (const { address, change } of plan.resource_changes) {
    const count = change.actions.filter((action) => ACTIONS[action] !== undefined).length;
    if (count > 0) operations.set(address, (operations.get(address) ?? 0) + count);
  }
  return operations;
}

/** Counts managed resource instances of a state (format 4), which a plan refreshes. */
export function managedInstances(state: unknown): number {
  if (!isRecord(state) || !Array.isArray(state["resources"])) return 0;
  const resources: unknown[] = state["resources"];
  return resources.reduce<number>((sum, resource) => {
    if (!isRecord(resource) || resource["mode"] === "data" || !Array.isArray(resource["instances"])) return sum;
    return sum + resource["instances"].length;
  }, 0);
}

/** Counts resources, each once, with any number of operations. */
export class EngineProgress {
  readonly #left: Map<string, number>;
  readonly #done = new Set<string>();
  readonly #failed = new Set<string>();
  readonly #atWork = new Map<string, ResourceInProgress>();
  #expected: number | null;

  /** `operations`: operations of an apply, by address; `null` for a plan, whose resources are counted as they come. */
  constructor(operations: ReadonlyMap<string, number> | null) {
    this.#left = new Map(operations);
    this.#expected = operations === null ? null : operations.size;
  }

  /** Sets the least number of resources to come. */
  expect(count: number): void {
    this.#expected = Math.max(this.#expected ?? 0, count);
  }

  /** Notes an event at an instant. Gives whether it changed the progress. */
  note({ type, hook }: EngineEvent, at: string): boolean {
    const address = hook?.resource?.addr;
    if (address === undefined) return false;
    switch (type) {
      case "refresh_start":
      case "apply_start":
        return this.#start(
          address,
          type === "refresh_start" ? "REFRESH" : (ACTIONS[hook?.action ?? ""] ?? "OTHER"),
          at,
        );
      case "refresh_complete":
      case "apply_complete":
        return this.#end(address, false);
      case "apply_errored":
        return this.#end(address, true);
      case undefined:
      default:
        return false;
    }
  }

  /** Gives the progress to report. `show` masks an address. */
  snapshot(show: (address: string) => string, limit: number): ResourceProgress {
    const atWork = [...this.#atWork.values()];
    return {
      total: this.#expected === null ? null : Math.max(this.#expected, this.#left.size),
      done: this.#done.size,
      failed: this.#failed.size,
      current: atWork.slice(0, limit).map((one) => ({ ...one, address: show(one.address) })),
      currentCount: atWork.length,
    };
  }

  #start(address: string, action: ProgressAction, startedAt: string): true {
    if (!this.#left.has(address)) this.#left.set(address, 1);
    this.#atWork.set(address, { address, action, startedAt });
    return true;
  }

  #end(address: string, failed: boolean): true {
    this.#atWork.delete(address);
    const left = (this.#left.get(address) ?? 1) - 1;
    this.#left.set(address, left);
    if (failed) {
      this.#failed.add(address);
      this.#done.delete(address);
    } else if (left <= 0 && !this.#failed.has(address)) {
      this.#done.add(address);
    }
    return true;
  }
}
