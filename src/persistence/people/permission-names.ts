import { PERMISSIONS, type PermissionSet, permissionSet } from "../../model/people/permission-set.ts";

/** Reads permissions from their stored names. Names that no longer exist give nothing. */
export function toPermissionSet(names: readonly string[]): PermissionSet {
  return permissionSet(PERMISSIONS.filter((permission) => names.includes(permission)));
}
