/** Applies JSON patches (RFC 6902), as OPA's `json.patch` does: paths may be arrays. */
import { undefinedResult } from "./operands.ts";
import {
  entriesOf,
  isArray,
  isEqual,
  isObject,
  isSet,
  memberOf,
  objectOf,
  type RegoValue,
  setOf,
} from "./rego-value.ts";

const failed = (): Error => undefinedResult("the patch cannot be applied");

export function applyPatch(document: RegoValue, patches: readonly RegoValue[]): RegoValue {
  return patches.reduce<RegoValue>(applyOne, document);
}

function applyOne(document: RegoValue, patch: RegoValue): RegoValue {
  const fields = new Map(isObject(patch) ? entriesOf(patch) : []);
  const path = pathOf(fields.get("path"));
  const value = fields.get("value");
  const operation: unknown = fields.get("op");
  switch (operation) {
    case "add":
      if (value === undefined) throw failed();
      return change(document, path, () => value, true);
    case "replace":
      if (value === undefined) throw failed();
      find(document, path);
      return change(document, path, () => value, false);
    case "remove":
      return remove(document, path);
    case "move": {
      const from = pathOf(fields.get("from"));
      const moved = find(document, from);
      return change(remove(document, from), path, () => moved, true);
    }
    case "copy": {
      const copied = find(document, pathOf(fields.get("from")));
      return change(document, path, () => copied, true);
    }
    case "test":
      if (value === undefined || !isEqual(find(document, path), value)) throw failed();
      return document;
    default:
      throw failed();
  }
}

function pathOf(path: RegoValue | undefined): readonly RegoValue[] {
  if (isArray(path)) return path;
  if (typeof path !== "string") throw failed();
  const parts = path.replace(/^\//, "").split("/");
  return path === "" ? [] : parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function indexIn(items: readonly RegoValue[], key: RegoValue): number {
  const index = typeof key === "string" && /^(?:0|[1-9]\d*)$/.test(key) ? Number(key) : key;
  if (typeof index !== "number" || !Number.isInteger(index) || index < 0 || index > items.length) throw failed();
  return index;
}

function find(document: RegoValue, path: readonly RegoValue[]): RegoValue {
  return path.reduce<RegoValue>((value, key) => {
    const member = isArray(value)
      ? value[indexIn(value, key)]
      : isSet(value)
        ? [...value].find((one) => isEqual(one, key))
        : memberOf(value, key);
    if (member === undefined) throw failed();
    return member;
  }, document);
}

/** Sets the value at a path. `inserts`: an array grows. */
function change(document: RegoValue, path: readonly RegoValue[], make: () => RegoValue, inserts: boolean): RegoValue {
  const [key, ...rest] = path;
  if (key === undefined) return make();
  const isLast = rest.length === 0;
  if (isArray(document)) {
    const index = key === "-" && isLast ? document.length : indexIn(document, key);
    if (isLast) return document.toSpliced(index, inserts ? 0 : 1, make());
    const item = document[index];
    if (item === undefined) throw failed();
    return document.with(index, change(item, rest, make, inserts));
  }
  if (isSet(document) && isLast) return setOf([...document, make()]);
  if (!isObject(document)) throw failed();
  const member = isLast ? null : find(document, [key]);
  return objectOf([...entriesOf(document), [key, isLast ? make() : change(member, rest, make, inserts)]]);
}

function remove(document: RegoValue, path: readonly RegoValue[]): RegoValue {
  const [key, ...rest] = path;
  if (key === undefined) throw failed();
  const member = find(document, [key]);
  if (rest.length > 0) return change(document, [key], () => remove(member, rest), false);
  if (isArray(document)) return document.toSpliced(indexIn(document, key), 1);
  if (isSet(document)) return setOf([...document].filter((one) => !isEqual(one, key)));
  if (isObject(document)) return objectOf(entriesOf(document).filter(([one]) => !isEqual(one, key)));
  throw failed();
}
