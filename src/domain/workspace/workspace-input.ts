import { LIMITS } from "../../model/kit/limits.ts";
import type { InputCheck } from "../kit/input.ts";

const NAME = new RegExp(`^[a-z0-9][a-z0-9_.-]{0,${LIMITS.nameLength - 1}}$`);

export function checkWorkspaceName(check: InputCheck, name: string): void {
  check.require(
    NAME.test(name),
    "name",
    `must have 1 to ${LIMITS.nameLength} characters: small letters, digits, "-", "_" and ".", the first a letter or digit.`,
  );
}
