import { LIMITS } from "../../model/limits.ts";
import type { RunKind } from "../../model/run-kind.ts";
import type { InputCheck } from "../input.ts";

/** Kinds that can be created so far. */
const CREATABLE: readonly RunKind[] = ["DEPLOY", "DESTROY", "PLAN"];

/** An address as the engine writes it: `aws_instance.web[0]`, `module.a["b c"].null_resource.x`. */
const ADDRESS = /^[\p{L}_][\p{L}\p{N}_-]*([.[].*)?$/u;
const ADDRESS_LENGTH = 1000;

export function checkKind(input: InputCheck, kind: RunKind): void {
  input.require(CREATABLE.includes(kind), "kind", `must be one of ${CREATABLE.join(", ")} for now.`);
}

export function checkTargets(input: InputCheck, targets: readonly string[] | null): void {
  if (targets === null) return;
  input.require(
    targets.length <= LIMITS.targetsPerRun,
    "targets",
    `must have at most ${LIMITS.targetsPerRun} entries.`,
  );
  for (const [index, target] of targets.slice(0, LIMITS.targetsPerRun).entries()) {
    const ok = ADDRESS.test(target) && target.length <= ADDRESS_LENGTH && !/\p{Cc}/u.test(target);
    input.require(ok, `targets.${index}`, "must be the address of a resource or module, such as aws_instance.web.");
  }
  input.require(new Set(targets).size === targets.length, "targets", "must not name an address twice.");
}

export function checkRefreshOnly(input: InputCheck, run: { kind: RunKind; refreshOnly: boolean }): void {
  const ok = !run.refreshOnly || run.kind === "DEPLOY" || run.kind === "PLAN";
  input.require(ok, "refreshOnly", "belongs to the kinds DEPLOY and PLAN only.");
}

export function checkReplace(input: InputCheck, replace: readonly string[] | null): void {
  input.require(replace === null || replace.length === 0, "replace", "is not supported yet; leave it out.");
}
