/** Parses addresses of modules, resources and instances (`-target` and `-replace`). */

const NAME = String.raw`[\p{ID_Start}_][\p{ID_Continue}-]*`;
const KEY = String.raw`\[\s*(?:\d+|"(?:[^"\\]|\\.)*")\s*\]`;
const TARGET = new RegExp(`^${NAME}(?:${KEY})?(?:\\.${NAME}(?:${KEY})?)*$`, "u");
const STEP = new RegExp(`(${NAME})(?:\\[\\s*(?:(\\d+)|("(?:[^"\\\\]|\\\\.)*"))\\s*\\])?`, "gu");

/** A part of an address, with the key of its instance. The number 1 and the text "1" are different keys. */
interface Step {
  name: string;
  key: string | null;
}

/** The modes of a resource, with their prefix in the engine's own addresses. */
const MODES: Readonly<Record<string, string>> = { resource: "", data: "data.", ephemeral: "ephemeral." };
const UNMANAGED = ["data.", "ephemeral."];

/** Whether a text is an address that can be a target. */
export function isTarget(text: string): boolean {
  return partsOf(text) !== null;
}

/** Whether a text is an address that can be replaced: a managed resource or one of its instances. */
export function isReplaceable(text: string): boolean {
  const resource = partsOf(text)?.resource ?? null;
  return resource !== null && !UNMANAGED.some((mode) => resource.name.startsWith(mode));
}

/**
 * Returns the targets that match no instance. A module or a resource without a key matches all of its instances;
 * modules before it need their keys.
 */
export function missingTargets(targets: readonly string[], instances: Iterable<string>): string[] {
  const known = new Set<string>();
  for (const address of instances) {
    const parts = partsOf(address);
    if (parts === null) continue;
    for (const [count, module] of parts.modules.entries()) {
      const before = parts.modules.slice(0, count);
      known.add(nameOf([...before, module])).add(nameOf([...before, { ...module, key: null }]));
    }
    if (parts.resource === null) continue;
    known.add(nameOf([...parts.modules, parts.resource]));
    known.add(nameOf([...parts.modules, { ...parts.resource, key: null }]));
  }
  return targets.filter((target) => {
    const parts = partsOf(target);
    return (
      parts === null || !known.has(nameOf([...parts.modules, ...(parts.resource === null ? [] : [parts.resource])]))
    );
  });
}

/** Returns the addresses that match no instance. With `count` or `for_each`, an address must have a key. */
export function missingInstances(addresses: readonly string[], instances: Iterable<string>): string[] {
  const known = new Set([...instances].map(instanceName));
  return addresses.filter((address) => {
    const name = instanceName(address);
    return name === null || !known.has(name);
  });
}

/** Returns a canonical name for all spellings of an address; `null` if the text is no address of a resource. */
function instanceName(address: string): string | null {
  const parts = partsOf(address);
  return parts === null || parts.resource === null ? null : nameOf([...parts.modules, parts.resource]);
}

function nameOf(steps: readonly Step[]): string {
  return JSON.stringify(steps.map(({ name, key }) => [name, key]));
}

/** Returns the modules of an address, and the resource with its mode and type; `null` if the text is no address. */
function partsOf(text: string): { modules: Step[]; resource: Step | null } | null {
  if (!TARGET.test(text)) return null;
  const steps = [...text.matchAll(STEP)].map(([, name = "", number, quoted]): Step => {
    return { name, key: number ?? (quoted === undefined ? null : unquoted(quoted)) };
  });
  const modules: Step[] = [];
  while (steps[0]?.name === "module" && steps[0].key === null && steps.length > 1) {
    const [, module] = steps.splice(0, 2);
    if (module !== undefined) modules.push({ ...module, name: `module.${module.name}` });
  }
  if (steps.length === 0) return { modules, resource: null };
  const mode = Object.hasOwn(MODES, steps[0]?.name ?? "") ? MODES[steps.shift()?.name ?? ""] : "";
  const [type, resource] = steps;
  if (steps.length !== 2 || type === undefined || resource === undefined || type.key !== null) return null;
  return { modules, resource: { name: `${mode}${type.name}.${resource.name}`, key: resource.key } };
}

/** Returns a key as JSON, independent of its escapes. */
function unquoted(quoted: string): string {
  try {
    return JSON.stringify(String(JSON.parse(quoted)).replace(/([$%])\1\{/g, "$1{"));
  } catch {
    return quoted;
  }
}
